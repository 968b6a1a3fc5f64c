"""The game: a side that stands at 41 wins it. Source: all, which differ in when that counts."""

from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta

from service.game.faults import Fault, NotPlaying
from service.game.rules import revoke, score
from service.game.rules.deal import eldest
from service.game.rulesets import MAX_DEALS, Ruleset, Seat, Side, Table
from service.game.state import State

Phase: TypeAlias = Annotated[
    Literal["playing", "deal_over", "game_over"], Meta(title="DealPhase", description="The phase of a deal.")
]
How: TypeAlias = Annotated[
    Literal["at_once", "counting_order", "highest_score", "last_deal", "tie_broken", "revoke", "resignation"],
    Meta(title="WonHow", description="The way in which a game was won."),
]


class Won(NamedTuple):
    """A game that is won: by which sides, how, and at which item if the counting order decided."""

    winners: tuple[Side, ...]
    how: How
    item: score.Item | None = None


def counts_at_once(table: Table) -> bool:
    """Return True if game wins as soon as it is reached, in the middle of a deal. Source: trebor."""
    return table.ruleset.winning == "at_once"


def is_game(table: Table, points: int) -> bool:
    """Return True if a score is game. Source: all (41)."""
    return points_to_game(table, points) <= 0


def points_to_game(table: Table, points: int) -> int:
    """Return how many points a score lacks to game; 0 or less if it is game."""
    return table.ruleset.target - points


def continues_to(table: Table, deal: int, scores: tuple[int, ...]) -> bool:
    """Return True if a game with these scores goes on to this deal: nobody has won, or a tie is played off.

    Shape: `scores` by side, before the deal; `deal` is 1 for the first.
    """
    if not is_game(table, max(scores)) and deal <= _last_deal(table):
        return True
    return table.ruleset.ties == "play_on" and deal > 1 and bool(_level(table, scores))


def _last_deal(table: Table) -> int:
    """Return the number of the last deal, after which the highest score wins unless a tie is played off.

    Source: none; that no game has more deals than a record holds is this project's reading.
    """
    return table.ruleset.deals or MAX_DEALS


def ends_at_limit(ruleset: Ruleset, outcome: Won) -> bool:
    """Return True if no rule ended a game, but this project's limit of deals."""
    return outcome.how == "last_deal" and ruleset.deals is None


def _level(table: Table, scores: tuple[int, ...]) -> tuple[Side, ...]:
    """Return the sides that another deal decides between: those level at the top, or none.

    In counting order a caller's scores may have a side above them, which has lost the race to game.
    """
    highest = max(scores)
    floor = min(highest, table.ruleset.target) if table.ruleset.winning == "counting_order" else highest
    top = max([points for points in scores if points >= floor and scores.count(points) > 1], default=None)
    return tuple(side for side, points in enumerate(scores) if points == top)


def next_scores(state: State) -> tuple[int, ...]:
    """Return the scores with which the next deal begins, after one that is over and has not won the game.

    Sides that tie in counting order play off the tie. All other sides begin below them: a side that lost the race to
    game may have a higher score, or the same score by chance. Source: none; house rules.
    """
    totals = score.totals(state)
    if state.table.ruleset.winning != "counting_order" or not is_game(state.table, max(totals)):
        return totals
    level = _won_by_target(state, totals).winners
    below = totals[level[0]] - 1
    return tuple(points if side in level else min(points, below) for side, points in enumerate(totals))


def score_faults(table: Table, number: int, scores: tuple[int, ...]) -> tuple[Fault, ...]:
    """Find scores before a deal that are not one per side, or with which the game was over.

    Shape: paths `scores`, or `deal` for one after the last.
    """
    if len(scores) != len(table.sides):
        detail = f"{len(scores)} entries for {len(table.sides)} sides."
        return (Fault("wrong_number_of_sides", ("scores",), detail),)
    if continues_to(table, number, scores):
        return ()
    won = [
        Fault("game_already_won", ("scores", side), f"Side {side} stood at {points} before this deal.")
        for side, points in enumerate(scores)
        if is_game(table, points)
    ]
    return tuple(won) or (Fault("game_already_won", ("deal",), f"The game was over before deal {number}."),)


def is_undecided(state: State, totals: tuple[int, ...]) -> bool:
    """Return True if nobody can have won at once: no side has the target or, after a tie, is above the tied score."""
    return max(totals) < max(state.table.ruleset.target, max(state.scores) + 1)


def won(state: State, totals: tuple[int, ...] | None = None) -> Won | None:
    """Return the winners of the game. Return None if nobody has won yet.

    Shape: `totals` is the result of `score.totals`, for callers that have it already.
    Source: trebor (at once; loss of the game by revoke), denexa and take-ten (counting order; gamerules by this
    project's reading), lots-of-kids (highest score).
    """
    if state.revoked is None:
        if state.trick:  # points change only when a trick is taken
            return None
    elif (loser := revoke.loser_of_game(state)) is not None:
        return won_from(state.table, loser, "revoke")
    ruleset = state.table.ruleset
    if ruleset.winning != "at_once" and not _is_over(state):
        return None
    totals = totals or score.totals(state)
    if max(totals) >= ruleset.target:
        outcome = _won_by_target(state, totals)
    elif state.deal >= _last_deal(state.table) and _is_over(state):
        outcome = Won(_highest(totals), "last_deal" if state.deal == _last_deal(state.table) else "tie_broken")
    else:
        return None
    tie_goes_on = ruleset.ties == "play_on" and state.deal < MAX_DEALS
    return None if len(outcome.winners) > 1 and tie_goes_on else outcome


def won_from(table: Table, loser: Side, how: How) -> Won:
    """Return the game won by every side but the losing one."""
    return Won(tuple(side for side in range(len(table.sides)) if side != loser), how)


def _won_by_target(state: State, totals: tuple[int, ...]) -> Won:
    winning = state.table.ruleset.winning
    if is_game(state.table, max(state.scores)):
        level = _level(state.table, state.scores) if winning == "counting_order" else ()
        return Won(_highest(totals, level), "tie_broken")
    if winning == "counting_order":
        return _won_in_counting_order(state, totals)
    return Won(_highest(totals), winning)


def _highest(totals: tuple[int, ...], among: tuple[Side, ...] = ()) -> tuple[Side, ...]:
    """Return the sides with the highest score of some sides, or of all."""
    sides = among or range(len(totals))
    best = max(totals[side] for side in sides)
    return tuple(side for side in sides if totals[side] == best)


def _won_in_counting_order(state: State, totals: tuple[int, ...]) -> Won:
    """Return the side that reaches game first in the count.

    Among sides that get there at the same item, the higher score at this item wins, then the higher score after the
    whole count. Sides still level win together.
    """
    item, counted = next(step for step in score.running_count(state) if is_game(state.table, max(step[1])))
    return Won(_highest(totals, _highest(tuple(counted))), "counting_order", item)


def _is_over(state: State) -> bool:
    return state.revoked is not None or state.played_out


def phase(state: State, outcome: Won | None) -> Phase:
    """Return the phase of a game with known winners, if any.

    >>> from service.game.notation.position import read_position
    >>> state = read_position("ctt1_trebor_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0")
    >>> phase(state, won(state)), next_dealer(state)
    ('playing', 1)
    """
    if outcome is not None:
        return "game_over"
    return "deal_over" if _is_over(state) else "playing"


def require_playing(state: State) -> None:
    """Refuse a deal or a game that is over.

    Errors: NotPlaying.
    """
    now = phase(state, won(state))
    if now != "playing":
        raise NotPlaying(now)


def next_dealer(state: State) -> Seat:
    """Return the dealer of the next deal, the seat on the dealer's left. Source: all."""
    return eldest(state.table, state.dealer)
