"""The proof of a fair deal; a program in any language can repeat it."""
