"""Live games: the calls on them, and the streams that follow them."""
