"""The game, pure: cards, rulesets, rules, notation, and the proof of a deal."""
