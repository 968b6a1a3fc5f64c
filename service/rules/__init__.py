"""The rule book, a file for each chapter, in the order of play.

deal, follow, trick, play, revoke, score and game tell and make; `check` is the only door to a State, `unseen`
reads hands that are not shown, `view` hides them, `record` walks a whole game.
"""
