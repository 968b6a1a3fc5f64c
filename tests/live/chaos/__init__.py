"""Live games on real Redis servers and real service processes, while things break."""
