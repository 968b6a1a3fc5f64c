"""How the service is deployed and released."""
