"""The package for Python in clients/python, against a real service, some of it through a proxy that fails."""
