"""The programs that a person runs, by make or by hand. No test is here, and pytest runs none of this by itself."""
