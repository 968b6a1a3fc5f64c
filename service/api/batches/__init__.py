"""Many questions in one request."""
