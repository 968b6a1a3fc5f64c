"""The HTTP side: what comes in and goes out, and nothing of the rules."""
