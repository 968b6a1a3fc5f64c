"""Attacks on a running service: python -m tests.attacks tells what they do to its memory and to those who ask it."""
