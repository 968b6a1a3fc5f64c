"""The proof of a deal: shuffle, commitment, verification."""
