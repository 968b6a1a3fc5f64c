"""HTTP as all endpoints share it: bodies, content negotiation, problems, the two lanes, middleware."""
