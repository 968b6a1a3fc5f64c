"""A release of the service and of its clients: what stands against it, and what is built: `make release`."""
