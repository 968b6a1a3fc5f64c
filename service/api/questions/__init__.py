"""The questions, one file each: body, answer, and declaration. Nothing is stored."""
