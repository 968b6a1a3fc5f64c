"""Other people's load balancers before two replicas: which software, what was run, what it gave."""
