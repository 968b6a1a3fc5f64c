"""Attacks on a running service: their effect on its memory and its callers; `make attacks`."""
