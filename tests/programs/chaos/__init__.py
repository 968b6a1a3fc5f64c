"""Live games under load while their processes and their store are killed, paused and replaced."""
