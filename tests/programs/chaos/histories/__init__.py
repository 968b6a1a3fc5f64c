"""Histories of live games under failures, each held against what the store has at the end."""
