"""All that computes beside requests: capacity, time slices, thinking, and seats that the computer plays."""
