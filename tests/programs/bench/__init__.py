"""The speed of the service, beside a bare function that does the same work: `make bench`."""
