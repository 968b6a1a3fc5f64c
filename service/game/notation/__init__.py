"""Positions and records as texts that people read and write: docs/notation.md has the grammars."""
