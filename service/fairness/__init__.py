"""The proof of the deal, which another language can repeat."""
