"""Metrics for Prometheus. Every combination of labels is known in advance and begins at 0; ids are never labels."""
