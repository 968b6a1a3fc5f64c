"""The rulesets: as data, and held to their sources."""
