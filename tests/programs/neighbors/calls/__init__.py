"""Programs of other people's users: each is run with a tool or an SDK of its own."""
