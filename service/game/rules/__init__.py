"""The rule book, a file for each chapter.

In the order of play: setup, deal, duty, follow, play, trick, revoke, score, game. Beside them, `admission` makes a
sound state of a claim, `unseen` reasons about hands that are hidden, `view` hides them, `record` judges a whole game.
"""
