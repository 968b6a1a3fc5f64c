"""A rolling restart of two replicas behind a real load balancer, under load: make rolling."""
