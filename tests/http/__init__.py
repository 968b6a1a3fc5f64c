"""What every endpoint shares: methods, formats, bodies, limits, problems."""
