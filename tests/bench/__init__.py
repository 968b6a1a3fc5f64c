"""How fast the service is, beside what it could be: `make bench`."""
