"""Playouts: all seats play by rule of thumb to the end of the deal."""

from service.game.rulesets import Side
from service.players.board import Board
from service.players.evaluator import Evaluator, Outcome
from service.players.rule_of_thumb import RuleOfThumb


def play_out(board: Board, policy: RuleOfThumb, evaluator: Evaluator) -> tuple[Outcome, Side]:
    """Play a deal on to its end on the board; return how it ends, and the side that takes the current trick."""
    taker: Side | None = None
    while True:
        if not board.pile:
            taker = board.side_of[board.seat] if taker is None else taker
            ended = evaluator.ended(board)
            if ended is not None:
                return ended, taker
        board.play(policy.choose(board))
