"""Catch the Ten (Scotch Whist), adjudicated over HTTP."""

__version__ = "0.1.0"
