"""The rule book, a file for each chapter.

In the order of play: setup, deal, duty, follow, play, trick, revoke, score, game. Besides, `admission` turns a claim
into a possible state, `unseen` reasons about hidden hands, `view` hides them, `record` judges a whole game.
"""
