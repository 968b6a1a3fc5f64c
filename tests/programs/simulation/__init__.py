"""The service, its Redis and its callers in one process, in virtual time and an order that follows from a seed."""
