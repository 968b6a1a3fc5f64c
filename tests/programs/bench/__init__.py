"""The speed of the service, beside what it could be: `make bench`."""
