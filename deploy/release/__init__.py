"""A release of the service and of its clients: the checks before it, and the files that are built: `make release`."""
