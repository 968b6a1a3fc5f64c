"""The notations: every position and every record has its text, and a text its position or record."""
