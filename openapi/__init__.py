"""The contract, and what is made of it or held against it."""
