"""Requests: sound, hostile and written by hand, and who sends them to the service."""
