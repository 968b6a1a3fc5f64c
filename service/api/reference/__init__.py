"""Facts about the service: its rulesets and its problems."""
