"""What stands before every endpoint: keys, rates, other origins."""
