"""Tests of what Prometheus sees."""
