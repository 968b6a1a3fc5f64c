"""Where live games are kept: memory and Redis."""
