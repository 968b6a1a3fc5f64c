"""The proof that a deal was dealt fairly, made so that a program in any language can repeat it."""
