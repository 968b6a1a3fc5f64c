"""Computer players: pure and seeded, from a seat's view to a card."""
