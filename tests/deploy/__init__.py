"""What stands in deploy/, held to what it says."""
