"""Wrong rules of the count: of points, ties, fines, and the end of the game."""

# A wrong rule takes what the right one takes, whose types it need not repeat.
# pyright: reportUnknownLambdaType=none, reportUnknownArgumentType=none

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pytest

from service.game.rules import game, revoke, score
from service.game.rulesets import Fine, Table
from service.game.state import State


def _patch_count(
    patch: pytest.MonkeyPatch, pick: Callable[[State, list[int], tuple[int, ...]], tuple[int, ...]]
) -> None:
    """Replace the rule for sides that reach game at the same step of the count."""

    def count(state: State, totals: tuple[int, ...]) -> game.Won:
        item, counted = next(step for step in score.running_count(state) if game.is_game(state.table, max(step[1])))
        return game.Won(pick(state, counted, totals), "counting_order", item)

    patch.setattr(game, "_won_in_counting_order", count)


def _at_game(state: State, counted: list[int]) -> tuple[int, ...]:
    return tuple(side for side, points in enumerate(counted) if game.is_game(state.table, points))


def sides_at_the_same_step_are_parted_by_the_whole_count(patch: pytest.MonkeyPatch) -> None:
    _patch_count(patch, lambda state, counted, totals: game._highest(totals, _at_game(state, counted)))


def sides_at_the_same_step_win_together(patch: pytest.MonkeyPatch) -> None:
    _patch_count(patch, lambda state, counted, _: _at_game(state, counted))


def sides_level_at_a_step_win_together(patch: pytest.MonkeyPatch) -> None:
    _patch_count(patch, lambda _, counted, __: game._highest(tuple(counted)))


def sides_level_to_the_end_are_parted_by_their_number(patch: pytest.MonkeyPatch) -> None:
    right = game._won_in_counting_order

    def first(state: State, totals: tuple[int, ...]) -> game.Won:
        won = right(state, totals)
        return won._replace(winners=won.winners[:1])

    patch.setattr(game, "_won_in_counting_order", first)


def the_ten_counts_last(patch: pytest.MonkeyPatch) -> None:
    right = score.running_count

    def count(state: State) -> Iterator[tuple[score.Item, list[int]]]:
        (fine, before), (_, with_ten), *others = right(state)
        tens = [more - less for more, less in zip(with_ten, before, strict=True)]
        yield fine, before
        for item, counted in others:
            yield item, [points - ten for points, ten in zip(counted, tens, strict=True)]
        yield "ten", others[-1][1]

    patch.setattr(score, "running_count", count)


def a_tie_is_played_off_by_all(patch: pytest.MonkeyPatch) -> None:
    right = game._highest
    patch.setattr(game, "_highest", lambda totals, among=(): right(totals))


def a_side_that_lost_the_race_begins_ahead(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(game, "next_scores", score.totals)


def a_game_goes_on_after_deal_100(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(game, "MAX_DEALS", 1000)


def no_deal_is_the_last(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(game, "_last_deal", lambda _: 1000)


def forty_is_game(patch: pytest.MonkeyPatch) -> None:
    right = score.totals
    patch.setattr(score, "totals", lambda state: tuple(points + 1 for points in right(state)))


def a_deal_lost_by_revoke_is_lost_by_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(revoke, "loser_of_deal", lambda _: None)


def a_fine_may_leave_less_than_nothing(patch: pytest.MonkeyPatch) -> None:
    right = revoke.fines

    def fines(state: State, made: Sequence[int]) -> tuple[int, ...]:
        fine = revoke.penalty(state.table)
        lost = fine.fine if isinstance(fine, Fine) else 0
        return tuple(-lost if gained < 0 else gained for gained in right(state, made))

    patch.setattr(revoke, "fines", fines)


def a_fine_goes_to_nobody(patch: pytest.MonkeyPatch) -> None:
    right = revoke.fines
    patch.setattr(revoke, "fines", lambda state, made: tuple(min(0, points) for points in right(state, made)))


def a_revoke_loses_the_game_for_all_but_the_next_side(patch: pytest.MonkeyPatch) -> None:
    right = game.won_from

    def won_from(table: Table, loser: int, how: game.How) -> game.Won:
        won = right(table, loser, how)
        return won._replace(winners=won.winners[:1])

    patch.setattr(game, "won_from", won_from)


def honours_count_nothing(patch: pytest.MonkeyPatch) -> None:
    right = score._made
    patch.setattr(
        score,
        "_made",
        lambda state: [
            points - score.honour_points(state.taken[side], state.trump, state.table)
            for side, points in enumerate(right(state))
        ],
    )


def four_cards_beyond_the_share_count_one(patch: pytest.MonkeyPatch) -> None:
    right = score._made

    def made(state: State) -> list[int]:
        if state.table.ruleset.card_points != "above_share":
            return right(state)
        above = [max(0, taken.bit_count() - share) for taken, share in zip(state.taken, state.table.share, strict=True)]
        return [points - more + more // 4 for points, more in zip(right(state), above, strict=True)]

    patch.setattr(score, "_made", made)


def a_first_deal_level_at_the_target_is_won(patch: pytest.MonkeyPatch) -> None:
    right = game.is_undecided
    patch.setattr(game, "is_undecided", lambda state, *rest: state.deal > 1 and right(state, *rest))


WRONG_COUNTS: Final[tuple[Any, ...]] = (
    sides_at_the_same_step_are_parted_by_the_whole_count,
    sides_at_the_same_step_win_together,
    sides_level_at_a_step_win_together,
    sides_level_to_the_end_are_parted_by_their_number,
    the_ten_counts_last,
    a_tie_is_played_off_by_all,
    a_side_that_lost_the_race_begins_ahead,
    a_game_goes_on_after_deal_100,
    no_deal_is_the_last,
    forty_is_game,
    a_deal_lost_by_revoke_is_lost_by_nobody,
    a_fine_may_leave_less_than_nothing,
    a_fine_goes_to_nobody,
    a_revoke_loses_the_game_for_all_but_the_next_side,
    honours_count_nothing,
    four_cards_beyond_the_share_count_one,
    a_first_deal_level_at_the_target_is_won,
)
