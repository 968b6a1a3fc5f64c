"""A live game, without HTTP."""
