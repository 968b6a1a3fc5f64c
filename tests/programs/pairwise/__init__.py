"""Every pair of features, on purpose: a covering array of settings, rules and clients, each row one journey.

A row is played from the opening of a game to the proof of its deals, by one client against one service with the
settings of the row, and every answer is held to the second engine.
"""
