"""A real Prometheus watches two replicas of the service under load, alone and while one thing after the other fails."""
