"""What every endpoint shares and no resource owns."""
