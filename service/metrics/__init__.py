"""What Prometheus sees. Every set of labels is known in advance and started at 0; no id is ever a label."""
