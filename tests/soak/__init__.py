"""Ten minutes of full load, after which the memory of the process must be as it was."""
