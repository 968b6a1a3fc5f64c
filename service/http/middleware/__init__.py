"""What stands around every request."""
