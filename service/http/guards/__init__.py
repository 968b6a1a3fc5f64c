"""The guards of every request: the front door, the check of paths, and their parts."""
