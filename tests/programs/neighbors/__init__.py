"""Other people's software beside the service: what ran, and the results."""
