"""The rules alone, without HTTP: whole games, the door to a state and back, and every question, on one core.

python -m tests.programs.bench.core measures the build of the service that is found in the working directory.
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import process_time
from typing import Final, NamedTuple

import msgspec

from service.api.batches.items import decode_batch
from service.game.cards import BITS, Card, Mask
from service.game.generators import run_to_end
from service.game.rules import admission, deal, follow, play
from service.game.rules.deal import play_unchecked
from service.game.rules.game import counts_at_once
from service.game.rulesets import Table
from service.game.state import State, to_claim
from service.players.analysis import SEARCH_NODES, Analyzer
from service.players.board import Board, Moment
from service.players.evaluator import Evaluator
from service.players.order import order
from service.players.playout import play_out
from service.players.rule_of_thumb import RuleOfThumb
from tests.programs.bench.floor import answer
from tests.programs.bench.games import Game, draw_games, moments
from tests.programs.bench.workloads import SEED, Workload, draw_workloads

KNOWN: Final = "whole games, each card known to be legal"
SEARCHED: Final = "search core: whole deals, and all the way back"
PLAYED_OUT: Final = "search core: playouts by rule of thumb"
SOLVED: Final = "search core: last four tricks solved exactly"
DIAGNOSES: Final = "batch_diagnoses"
ANSWERED: Final = ": decode, answer, encode"
DECODED: Final = ": decode"
_LEAST: Final = 0.3
"""Seconds of CPU time that a measurement runs for at least."""


class Measure(NamedTuple):
    """Work to be timed: what it is, what is counted, how many of it one run does, and the run."""

    name: str
    unit: str
    amount: int
    run: Callable[[], object]


def _measures() -> Iterator[Measure]:
    """Prepare all that is timed without HTTP."""
    workloads = draw_workloads()
    (diagnoses,) = [each for each in workloads if each.name == DIAGNOSES]
    yield from (*_of_rules(), *map(_of_question, workloads), _of_decoding(diagnoses))


def _of_rules() -> Iterator[Measure]:
    games = draw_games(SEED, 2)
    plays = sum(len(dealt.cards) for game in games for dealt in game.deals)
    yield Measure(KNOWN, "plays", plays, partial(_play_games, games, _play_known))
    yield Measure("whole games, each card judged", "plays", plays, partial(_play_games, games, _play_judged))
    searched = list(_searched(games))
    yield Measure("search core: whole deals", "plays", plays, partial(_each, _search, searched))
    yield Measure(SEARCHED, "plays", plays, partial(_each, _search_and_return, searched))
    yield _playouts(searched)
    endings = list(_endings(searched))
    yield Measure(SOLVED, "plays", sum(map(_solve, endings)), lambda: [_solve(state) for state in endings])
    states = [moment.state for moment in moments(games)]
    claims = [to_claim(state) for state in states]
    yield Measure(
        "admit: check a claim in full", "states", len(claims), lambda: [admission.admit(claim) for claim in claims]
    )
    yield Measure("describe: write a state", "states", len(states), lambda: [to_claim(state) for state in states])


def _play_games(games: tuple[Game, ...], play_out: Callable[[State, tuple[int, ...]], None]) -> None:
    for game in games:
        for dealt in game.deals:
            first = dealt.states[0]
            state = deal.deal(game.table, dealt.order, first.dealer, first.deal, first.scores)
            play_out(state, dealt.cards)


def _play_known(state: State, cards: tuple[int, ...]) -> None:
    """Find the legal cards, then play one of them, which was drawn beforehand."""
    for card in cards:
        if not (follow.legal_cards(state) or 0) >> card & 1:
            raise RuntimeError(f"card {card} was legal when the game was drawn")
        state = play_unchecked(state, card)


class _Searched(NamedTuple):
    """A deal to search: what it is dealt from, and the cards to play, in the order of strength."""

    table: Table
    order: tuple[Card, ...]
    first: State
    cards: tuple[Mask, ...]


def _searched(games: tuple[Game, ...]) -> Iterator[_Searched]:
    for game in games:
        for dealt in game.deals:
            rank = order(game.table.ruleset, dealt.states[0].trump).rank
            yield _Searched(game.table, dealt.order, dealt.states[0], tuple(rank(BITS[card]) for card in dealt.cards))


def _search(searched: _Searched) -> None:
    """Deal, and find the legal cards, then play one of them, on the board that searches play on."""
    board = _deal(searched)
    for card in searched.cards:
        _require_legal(board, card)
        board.play(card)


def _search_and_return(searched: _Searched) -> None:
    """Do so, and go back to each moment, from the last one on."""
    board, past = _deal(searched), list[Moment]()
    for card in searched.cards:
        _require_legal(board, card)
        past.append(board.moment())
        board.play(card)
    for card, moment in zip(reversed(searched.cards), reversed(past), strict=True):
        board.take_back(card, moment)


def _each(search: Callable[[_Searched], None], searched: list[_Searched]) -> None:
    for each in searched:
        search(each)


def _deal(searched: _Searched) -> Board:
    first = searched.first
    return Board(deal.deal(searched.table, searched.order, first.dealer, first.deal, first.scores))


def _require_legal(board: Board, card: Mask) -> None:
    if not board.legal & card:
        raise RuntimeError(f"card {card} was legal when the game was drawn")


def _playouts(searched: list[_Searched]) -> Measure:
    """Prepare to play deals out after each card that may be led, as players do; no game ends in the middle of one."""
    deals = [
        (Board(each.first), RuleOfThumb(each.first), Evaluator(each.first))
        for each in searched
        if not counts_at_once(each.table)
    ]
    plays = sum(board.legal.bit_count() * board.not_taken.bit_count() for board, *_ in deals)
    return Measure(PLAYED_OUT, "plays", plays, partial(_play_out_each, deals))


def _play_out_each(deals: list[tuple[Board, RuleOfThumb, Evaluator]]) -> None:
    for board, thumb, evaluator in deals:
        legal, start = board.legal, board.save()
        while legal:
            board.play(legal & -legal)
            play_out(board, thumb, evaluator)
            board.restore(start)
            legal &= legal - 1


def _endings(searched: list[_Searched]) -> Iterator[State]:
    """Play each deal until 16 cards at most are left."""
    for each in searched:
        board = _deal(each)
        for card in each.cards:
            if not board.pile and board.not_taken.bit_count() <= 16:
                yield board.state()
                break
            board.play(card)


def _solve(state: State) -> int:
    """Weigh each card to the end of the deal, and return how many cards were played for it."""
    analyzer = Analyzer(state, SEARCH_NODES)
    run_to_end(analyzer.weigh(state))
    return analyzer.nodes


def _play_judged(state: State, cards: tuple[int, ...]) -> None:
    for card in cards:
        state = play.play(state, card).state


def _of_question(workload: Workload) -> Measure:
    amount = len(workload.bodies) * workload.questions

    def run() -> None:
        for body in workload.bodies:
            answer(workload.path, body)

    return Measure(workload.name + ANSWERED, "questions", amount, run)


def _of_decoding(workload: Workload) -> Measure:
    amount = len(workload.bodies) * workload.questions

    def run() -> None:
        for body in workload.bodies:
            run_to_end(decode_batch(body, "json"))

    return Measure(workload.name + DECODED, "questions", amount, run)


def print_rates(measures: Sequence[Measure]) -> None:
    """Print a line of JSON: of each measure its name, its unit, and how many are done in a second of CPU time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # as a worker does
    print(msgspec.json.encode([(measure.name, measure.unit, _rate(measure)) for measure in measures]).decode())


def _rate(measure: Measure) -> float:
    gc.collect()
    start, runs = process_time(), 0
    while process_time() - start < _LEAST:
        measure.run()
        runs += 1
    return runs * measure.amount / (process_time() - start)


if __name__ == "__main__":
    print_rates(list(_measures()))
