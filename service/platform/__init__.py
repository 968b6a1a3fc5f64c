"""Whatever computes beside requests: capacity, time slices, thinking, and the computer players of live games."""
