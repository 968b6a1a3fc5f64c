"""The front door and the check of paths, around every request; and what they and the endpoint call."""
