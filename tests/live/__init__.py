"""A live game: from its opening to its record."""
