"""The contract, and its generators and checks."""
