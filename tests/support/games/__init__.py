"""Live games: players, listeners, and stores that fail."""
