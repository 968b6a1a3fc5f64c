"""Two layers around every request, metrics and paths; and what they and the endpoint call: proxies, CORS, quotas."""
