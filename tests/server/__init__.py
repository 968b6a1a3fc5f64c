"""A process: its connections, command line, log, traces and shutdown."""
