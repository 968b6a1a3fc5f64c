"""Golden games: a whole game of each ruleset and shape of a deal, written out to be read."""
