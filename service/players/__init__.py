"""Computer players: pure and seeded; what a seat sees comes in, a card goes out."""
