"""Where the logs of live games are kept."""
