"""The files of deploy/, checked against the code."""
