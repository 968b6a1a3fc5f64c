"""Catch the Ten (Scotch Whist), adjudicated over HTTP."""

__version__ = "1.1.0.dev0"
