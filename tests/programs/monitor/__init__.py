"""A real Prometheus watches two replicas of the service under load; then their store dies, and comes back."""
