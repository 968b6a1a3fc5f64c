"""The questions, a file for each: its body, its answer, and its declaration. Nothing is stored."""
