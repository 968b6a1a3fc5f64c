"""Metrics for Prometheus. Every combination of labels is known in advance and begins at 0; no id is ever a label."""
