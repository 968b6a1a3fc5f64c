"""Golden games: one whole game of each ruleset and number of players, written out to be read."""
