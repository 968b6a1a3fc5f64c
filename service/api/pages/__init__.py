"""The pages for people, and the files that they need."""
