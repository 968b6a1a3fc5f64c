"""Tests of live games: over both stores, through the application as a caller meets it."""
