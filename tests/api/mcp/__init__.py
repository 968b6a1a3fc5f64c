"""The operations as tools for language models."""
