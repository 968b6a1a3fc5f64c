"""How strong the computer players are, in duplicate matches."""
