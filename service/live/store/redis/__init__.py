"""Live games in Redis."""
