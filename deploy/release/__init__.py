"""A release of the service and its clients: checks and built files: `make release`."""
