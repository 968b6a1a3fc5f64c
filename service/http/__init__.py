"""The HTTP layer of all operations: endpoint, bodies, content negotiation, problems, guards."""
