"""HTTP as all endpoints share it: the endpoint, bodies, content negotiation, problems, guards."""
