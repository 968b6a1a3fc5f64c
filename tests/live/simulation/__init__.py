"""The simulation, held to real servers, and by bugs that are planted."""
