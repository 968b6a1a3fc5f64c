"""The rule book, tested chapter by chapter."""
