"""The operations of the API, each declared beside its bodies, and the pages."""
