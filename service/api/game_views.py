"""A live game as its bearers may see it: no hand but one's own in play, no secret before the deal is over."""

from typing import Final

from msgspec import UNSET, structs

from service import wire
from service.api.bodies import DrawnCard
from service.api.game_bodies import Change, GamePhase, LiveGame, Shuffle, StreamedChange
from service.cards import card_code, mask_codes
from service.fairness.commitment import commit
from service.fairness.shuffle import draw
from service.games.log import CardPlayed, Dealt, Game, Opening, Step, dealer_next, report
from service.rules import game as winning
from service.rules.record import Proof, Record, RecordedDeal, RecordedPlay
from service.rules.view import view
from service.rulesets import Seat
from service.state import State, describe

NOBODY: Final = None
"""The seat of the host and of spectators."""


def game_phase(game: Game) -> GamePhase:
    """Tell where a live game stands."""
    return "to_deal" if game.state is None else winning.phase(game.state, winning.won(game.state))


def view_game(game_id: str, game: Game, seat: Seat | None) -> LiveGame:
    """Show a game to a seat, or to those who have none."""
    opened, phase = game.opened, game_phase(game)
    rounds, _ = draw(game.table.players, opened.draw_seed)
    return LiveGame(
        id=game_id,
        version=game.version,
        rules=opened.rules,
        sides=opened.sides,
        on_revoke=opened.on_revoke,
        phase=phase,
        seat=seat,
        dealer=game.state.dealer if game.state is not None and phase == "playing" else dealer_next(game),
        draw=tuple(tuple(DrawnCard(at, card_code(card)) for at, card in cards.items()) for cards in rounds),
        position=view_position(game, seat),
        shuffles=_shuffles(game, phase),
    )


def view_position(game: Game, seat: Seat | None) -> wire.Position | None:
    """Show the position to a seat; None before the first deal."""
    return None if game.state is None else wire.write_position(view(game.state, seat))


def _shuffles(game: Game, phase: GamePhase) -> tuple[Shuffle, ...]:
    done = len(game.openings) - (phase == "playing")
    past = tuple(
        Shuffle(at + 1, commit(opening.secret), write_proof(opening) if at < done else None)
        for at, opening in enumerate(game.openings)
    )
    return (*past, Shuffle(len(past) + 1, commit(game.secret), None))


def write_proof(opening: Opening) -> Proof:
    """Write what opens a commitment."""
    return Proof(commit(opening.secret), opening.secret, opening.entropy, mask_codes(opening.strip), opening.threes)


def view_events(step: Step, seat: Seat | None) -> tuple[wire.Event, ...]:
    """Show what happened at a step; the cards that a seat could have played in place of a revoke are its own."""
    played = report(step)
    if step.before is None or played is None:
        return ()
    return tuple([_redacted(event, seat) for event in wire.write_events(step.before, played)])


def _redacted(event: wire.Event, seat: Seat | None) -> wire.Event:
    if isinstance(event, wire.Revoked) and event.seat != seat:
        return structs.replace(event, verdict=structs.replace(event.verdict, legal_cards=None))
    return event


def view_change(step: Step, seat: Seat | None) -> Change:
    """Show a change to the one who made it.

    Errors: total once there is a deal.
    """
    if step.game.state is None:
        raise AssertionError
    position = wire.write_position(view(step.game.state, seat))
    return Change(step.game.version, position, view_events(step, seat))


def view_streamed(step: Step, seat: Seat | None) -> StreamedChange:
    """Show a step to one who watches."""
    game, phase = step.game, game_phase(step.game)
    # The commitment comes with the deal, what opens it with the card that ends the deal.
    tells = isinstance(step.entry, Dealt) or (isinstance(step.entry, CardPlayed) and phase != "playing")
    shuffle = _shuffles(game, phase)[-2] if tells else UNSET
    return StreamedChange(game.version, phase, view_position(game, seat), view_events(step, seat), shuffle)


def write_record(steps: list[Step]) -> Record:
    """Write the record of a game that is over, from all its steps."""
    last = steps[-1].game
    deals: list[RecordedDeal] = []
    plays: list[RecordedPlay] = []
    # From the end: the plays of a deal come before it.
    for step in reversed(steps):
        if isinstance(step.entry, CardPlayed):
            plays.append(RecordedPlay(step.entry.seat, card_code(step.entry.card)))
        elif isinstance(step.entry, Dealt) and step.game.state is not None:
            deals.append(_recorded_deal(step.game.state, step.game.openings[-1], tuple(reversed(plays))))
            plays = []
    return Record(last.opened.rules, last.opened.sides, tuple(reversed(deals)), last.opened.on_revoke)


def _recorded_deal(state: State, opening: Opening, plays: tuple[RecordedPlay, ...]) -> RecordedDeal:
    claim = describe(state)
    return RecordedDeal(
        dealer=claim.dealer,
        turn_up=claim.turn_up,
        hands=tuple(hand for hand in claim.hands if not isinstance(hand, int)),
        plays=plays,
        later_hands=tuple(tuple(hand for hand in later if not isinstance(hand, int)) for later in claim.later_hands),
        proof=write_proof(opening),
    )
