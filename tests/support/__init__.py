"""All that tests share: states to ask about, clients, servers, and stores that fail on purpose."""
