"""A real Prometheus and Alertmanager watch the service while one thing after the other fails."""
