"""Attacks on a running service: what they do to its memory and to those who ask it; `make attacks`."""
