"""What the service can tell of itself: its rulesets and its problems."""
