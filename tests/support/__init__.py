"""What the tests share: states to ask about, clients, servers, and things that break on purpose."""
