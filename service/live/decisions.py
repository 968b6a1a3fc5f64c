"""Decisions on requests to change a live game: pure functions of the game and of the facts of the request.

Refusals are returned, not raised: the cached game may be stale, and the latest one may allow the act.
"""

from collections.abc import Callable
from math import ceil
from typing import Final, NamedTuple, TypeAlias

from service.game.cards import Card, CardCode, Mask, parse_mask
from service.game.fairness.commitment import seats_seed_from
from service.game.fairness.shuffle import draw_seats
from service.game.faults import HandNotSeen, Impossible, NoNextDeal, NoRevokePenalty, NotPlaying
from service.game.level import Level
from service.game.rules import play, setup
from service.game.rulesets import Seat
from service.game.state import Seed
from service.live.entries import (
    ComputerEntry,
    DealEntry,
    EntropyEntry,
    Entry,
    Milliseconds,
    PlayEntry,
    RematchEntry,
    ResignEntry,
    SeatsEntry,
    TakeBackEntry,
    TokenEntry,
)
from service.live.log import ABSENT_LEVEL, MINUTE, Game, Step, dealer_next
from service.live.tokens import Role, authorize, derive_again, invites, seat_of
from service.live.turns import game_phase, is_awaited
from service.schemas.ids import GameId, Key, Token
from service.schemas.refusal import (
    Refusal,
    refuse,
    refuse_at,
    refuse_computers,
    refuse_missing,
    refuse_seat,
    refuse_turn,
)
from service.schemas.revision import NO_REVISION, Revision

MAX_CHANGES: Final = 5000
"""Changes of a game before it is limited to one a minute; no game that is really played has as many."""
RESERVE: Final = 500
"""Extra changes reserved for seats' own acts, and again as many for the host's."""
MAX_SEAT_CHANGES: Final = 20
"""Changes of a seat's token and player before it is limited to one a minute."""
MAX_REMATCHES: Final = 20
"""Rematches in a row, less than a minute apart, before they are limited to one a minute."""
AWAY_SECONDS: Final = 120
"""Seconds without a stream or a poll after which a seat counts as away."""
TOO_MANY_CHANGES: Final = "The game has had too many changes: its seats now change only once a minute."
BAD_VERSION: Final = 'If-Match is one version as the ETag of the game gave it, such as "7-1f3a9c02", quotes included.'


class Append(NamedTuple):
    """An entry to append, and the role that asks for it; `played` is the effect of its card."""

    entry: Entry
    role: Role
    played: play.Played | None = None


class Applied(NamedTuple):
    """A change that was made, and the role that asked; `repeated` if an earlier request made it."""

    step: Step
    role: Role
    repeated: bool = False


class Repeat(NamedTuple):
    """A request that only succeeds as a repetition of the change at a revision; None: at any revision."""

    revision: Revision | None
    role: Role
    is_same: Callable[[Step], bool]


Decision: TypeAlias = Append | Applied | Repeat | Refusal
Decide: TypeAlias = Callable[[Game], Decision]


def decide_entropy(game: Game, token: Token | None, entropy: Seed) -> Decision:
    """Add a seat's entropy to the next shuffle. Sending the same entropy again is a repetition, even after the deal."""
    seat = authorize(game, token, range(game.table.players), "This needs the token of a seat.")
    if isinstance(seat, Refusal):
        return seat
    entry, given = EntropyEntry(seat, entropy), game.entropy[seat]
    used = game.shuffles[-1].entropy[seat] if game.shuffles else ""
    refusal = refuse_deal(game)
    if entropy == (used if refusal else given):
        return Repeat(None, seat, _matches(entry))
    if refusal:
        return refusal
    if given:
        return Refusal("entropy_given", f"Seat {seat} has added to the next shuffle already.")
    return Append(entry, seat)


def decide_deal(
    game: Game,
    token: Token | None,
    revision: Revision | None,
    strip: tuple[CardCode, ...] | None,
    *,
    threes: bool,
    secret: Seed,
) -> Decision:
    """Deal the next deal; `secret` is for the shuffle after it."""
    dealer, players = dealer_next(game), range(game.table.players)
    role = authorize(game, token, ("host", *players), "To deal needs the dealer's token or the host's.")
    if isinstance(role, Refusal):
        return role

    def is_same(step: Step) -> bool:
        entry, state = step.entry, step.game.state
        if not isinstance(entry, DealEntry) or state is None:
            return False
        if not _may_deal(role, step.game, state.dealer, is_first=state.deal == 1):
            return False
        return entry.threes == threes and (strip is None or parse_mask(strip) == entry.strip)

    if repeat := _find_repeat(game, revision, role, is_same):
        return repeat
    if not _may_deal(role, game, dealer, is_first=game.state is None):
        return Refusal("wrong_token", f"Seat {dealer} deals, or the host does.")
    chosen = choose_strip(game, strip, threes=threes)
    return chosen if isinstance(chosen, Refusal) else Append(DealEntry(chosen, threes, secret), role)


def _may_deal(role: Role, game: Game, dealer: Seat, *, is_first: bool) -> bool:
    """Return True for the host and the dealer. Before the first deal, also for any seat once nobody is missing."""
    return role in {"host", dealer} or (is_first and _is_full(game))


def _is_full(game: Game) -> bool:
    """Return True if every seat has a name or a computer: then nobody is missing before the first deal."""
    nobody = (None,) * game.table.players
    return all(name or level for name, level in zip(game.names or nobody, game.computers or nobody, strict=True))


def decide_play(game: Game, token: Token | None, revision: Revision | None, card: Card) -> Decision:
    """Play a card on the revision that the player saw."""
    seat = authorize(game, token, range(game.table.players), "This needs the token of a seat.")
    if isinstance(seat, Refusal):
        return seat
    if repeat := _find_repeat(game, revision, seat, _matches(PlayEntry(seat, card))):
        return repeat
    return _refuse_turn(game, seat) or decide_card(game, seat, card)


def _refuse_turn(game: Game, seat: Seat) -> Refusal | None:
    if game.state is None or game.resigned is not None:
        return _refuse_resigned(game)
    if game.computers and game.computers[seat] is not None:
        return Refusal("computer_plays", f"The computer plays seat {seat}. Take the seat back first.")
    if game.state.seat_to_play != seat and game_phase(game) == "playing":
        return refuse_turn(game.state.seat_to_play, seat)
    return None


def decide_card(game: Game, seat: Seat, card: Card) -> Append | Refusal:
    """Play a card of the seat to play, judged by the rules."""
    if game.state is None:
        return Refusal("not_dealt", "No cards are dealt yet.")
    try:
        played = play.play(game.state, card, game.opened.on_revoke)
    except (play.IllegalPlay, NotPlaying, HandNotSeen, NoRevokePenalty) as exc:
        return refuse(exc, "card")
    return Append(PlayEntry(seat, card), seat, played)


def decide_resignation(game: Game, token: Token | None, revision: Revision | None, seat: Seat | None) -> Decision:
    """Resign a seat: the caller's own or, for the host, any absent one."""
    players = range(game.table.players)
    role = authorize(game, token, ("host", *players), "To resign needs the seat's token or the host's.")
    if isinstance(role, Refusal):
        return role
    if seat is not None and seat not in players:
        return refuse_seat("seat", seat, len(players))
    resigning = seat if role == "host" else role
    if resigning is None:
        return refuse_missing("The host has no seat: name the `seat` that resigns.")
    if seat not in {None, resigning}:
        return Refusal("wrong_token", f"Only seat {seat} or the host can resign for it.")
    entry = ResignEntry(resigning)
    if repeat := _find_repeat(game, revision, role, _matches(entry)):
        return repeat
    return _refuse_end(game) or Append(entry, role)


def _refuse_end(game: Game) -> Refusal | None:
    """Return why nobody can resign. Return None if a seat can."""
    if game.state is None:
        return Refusal("not_dealt", "No cards are dealt yet.")
    return Refusal("game_over", "The game is over.") if game_phase(game) == "game_over" else None


def decide_rematch(game: Game, token: Token | None, rematch: GameId, at: Milliseconds) -> Append | Refusal | None:
    """Note the next game of the same people in a finished game. Return None if it is noted already."""
    need, players = "To open the next game needs the token of a seat or the host's.", range(game.table.players)
    role = authorize(game, token, ("host", *players), need)
    if isinstance(role, Refusal):
        return role
    if game_phase(game) != "game_over":
        return Refusal("game_not_over", "The next game can be opened once this one is over.")
    if game.rematch == rematch:
        return None
    if game.rematches_until + MINUTE > at + MAX_REMATCHES * MINUTE:
        return Refusal(
            "too_many_changes", "Too many games were opened in a row at this table: it now opens one a minute."
        )
    return _refuse_change(game, role, at) or Append(RematchEntry(rematch), role)


def decide_seats(
    game: Game,
    token: Token | None,
    revision: Revision | None,
    wanted: tuple[Seat, ...] | None,
    secret: Seed,
    at: Milliseconds,
) -> Decision:
    """Change who sits where before the first deal: as `wanted` or, if None, by a draw of cards.

    Shape: `wanted` has by seat where its player sits now; `secret` is for the next first shuffle.
    """
    need, players = "To change seats needs the token of a seat or the host's.", range(game.table.players)
    role = authorize(game, token, ("host", *players), need)
    if isinstance(role, Refusal):
        return role

    def is_same(step: Step) -> bool:
        entry = step.entry
        return isinstance(entry, SeatsEntry) and (entry.drawn if wanted is None else entry.seats == wanted)

    if repeat := _find_repeat(game, revision, role, is_same):
        return repeat
    if refusal := _refuse_seats(game, role, wanted) or _refuse_change(game, role, at):
        return refusal
    seats = _draw_seats(game) if wanted is None else wanted
    return Append(SeatsEntry(seats, wanted is None, secret, seat_of(role)), role)


def _refuse_seats(game: Game, role: Role, wanted: tuple[Seat, ...] | None) -> Refusal | None:
    """Return why the players cannot change seats like this. Return None if they can."""
    if game.state is not None:
        return Refusal("already_dealt", "Players change seats before the first deal, and in the next game.")
    if role != "host" and not _is_full(game):
        return Refusal("wrong_token", "Until every seat has a name or is the computer's, only the host changes seats.")
    if wanted is not None and sorted(wanted) != list(range(game.table.players)):
        return refuse_at("impossible_request", f"`seats` names each of {game.table.players} seats once.", "seats")
    return None


def _draw_seats(game: Game) -> tuple[Seat, ...]:
    """Return by seat who sits there next: the highest cards form the first side, and so on."""
    return draw_seats(game.table.sides, seats_seed_from(game.secret, game.entropy))[1]


def decide_renewal(game: Game, token: Token | None, key: Key, renewal: TokenEntry, at: Milliseconds) -> Decision:
    """Give a seat a new token in place of the old one; `key` is the Idempotency-Key or a substitute.

    The same request again is a repetition, even if its token is void by now.
    """
    seat = renewal.seat
    if seat >= game.table.players:
        return _refuse_no_seat(game, seat)
    latest = game.renewals[seat] if game.renewals else None
    if latest is not None and derive_again(token or Token(""), key, latest):
        if latest.name != renewal.name:
            return Refusal("idempotency_key_reused", "The Idempotency-Key was first sent with another name.")
        return Repeat(None, seat, _matches(latest))
    role = authorize(game, token, ("host", seat), "To renew a token needs the token of the seat or the host's.")
    if isinstance(role, Refusal) and renewal.name is not None and invites(game, seat, token):
        role = seat
    return role if isinstance(role, Refusal) else _refuse_change(game, role, at) or Append(renewal, role)


def decide_computer(
    game: Game,
    token: Token | None,
    revision: Revision | None,
    entry: ComputerEntry,
    at: Milliseconds,
    absence: float | None = None,
) -> Decision:
    """Let the computer play a seat, or a person again. If so already, nothing changes.

    Another seat may hand an absent seat to the computer; its person may always take it back.
    Unit: `absence` is how many seconds the seat has been away, None if unknown.
    """
    seat, level = entry.seat, entry.level
    if seat >= game.table.players:
        return _refuse_no_seat(game, seat)
    need = "To let the computer play, or take the seat back, needs the token of the seat or the host's."
    admitted: tuple[Role, ...] = ("host", *range(game.table.players)) if level else ("host", seat)
    role = authorize(game, token, admitted, need)
    if isinstance(role, Refusal):
        return role
    if repeat := _find_repeat(game, revision, role, _matches(entry)):
        return repeat
    if _list_computers(game)[seat] == level:
        return Applied(Step(game, entry), role, repeated=True)
    return _refuse_computer(game, role, entry, at, absence) or Append(entry, role)


def _list_computers(game: Game) -> tuple[Level | None, ...]:
    return game.computers or (None,) * game.table.players


def _refuse_computer(
    game: Game, role: Role, entry: ComputerEntry, at: Milliseconds, absence: float | None
) -> Refusal | None:
    """Return the refusal of a change of who plays a seat. Return None if it may be made."""
    seat, computers = entry.seat, _list_computers(game)
    if entry.level is not None and all(computers[:seat]) and all(computers[seat + 1 :]):
        return refuse_computers("level")
    if role in {"host", seat}:
        return _refuse_change(game, role, at)
    return _refuse_stand_in(game, entry, at, absence) or _refuse_change(game, seat, at)


def _refuse_stand_in(game: Game, entry: ComputerEntry, at: Milliseconds, absence: float | None) -> Refusal | None:
    """Return why one seat cannot let the computer play for another. Return None if it can."""
    seat = entry.seat
    if _list_computers(game)[seat] is not None:
        return Refusal("wrong_token", f"The computer plays seat {seat}: only the seat or the host changes that.")
    if entry.level != ABSENT_LEVEL:
        return refuse_at("impossible_request", f"The computer plays `{ABSENT_LEVEL}` for a seat that is away.", "level")
    waited = (at - game.changed_at) // 1000 if is_awaited(game, seat) else 0
    left = AWAY_SECONDS - (waited if absence is None else absence)
    detail = f"Seat {seat} counts as away in {ceil(left)} seconds."
    return Refusal("not_away", detail) if left > 0 else None


def decide_take_back(game: Game, token: Token | None, revision: Revision | None, at: Milliseconds) -> Decision:
    """Ask to take back the seat's last card, or agree to another seat's request."""
    seat = authorize(game, token, range(game.table.players), "This needs the token of a seat.")
    if isinstance(seat, Refusal):
        return seat
    entry = TakeBackEntry(seat)
    if repeat := _find_repeat(game, revision, seat, _matches(entry)):
        return repeat
    if why := _find_why_not_back(game, seat):
        return Refusal("cannot_take_back", why)
    return _refuse_many(game, at) or Append(entry, seat)


def _find_why_not_back(game: Game, seat: Seat) -> str:
    """Return why a seat can neither ask to take a card back nor agree to it. Return "" if it can."""
    if not game.opened.take_back:
        return "In this game no card is taken back."
    if game.before is None:
        return "There is no card to take back: none was played, it completed a trick, or another was taken back."
    if game.computers and game.computers[seat] is not None:
        return f"The computer plays seat {seat}, and is not asked."
    if seat in game.take_back_agreed:
        return f"Seat {seat} has asked or agreed already."
    if not game.take_back_agreed and seat != game.before.seat_to_play:
        return f"Seat {game.before.seat_to_play} played the last card, and alone can ask to take it back."
    return ""


def _matches(entry: Entry) -> Callable[[Step], bool]:
    """Return a function that tells if a step made exactly this entry."""
    return lambda step: step.entry == entry


def _find_repeat(
    game: Game, revision: Revision | None, role: Role, is_same: Callable[[Step], bool]
) -> Repeat | Refusal | None:
    """Return the outcome of a change to an old version. Return None if the version is the latest."""
    if revision == game.revision:
        return None
    if revision is None:
        return Refusal("version_needed", "Send the version that you saw in If-Match, as its ETag gave it.")
    if revision == NO_REVISION:
        return Refusal("bad_version", BAD_VERSION)
    return Repeat(revision, role, is_same)


def _refuse_no_seat(game: Game, seat: Seat) -> Refusal:
    return Refusal("not_found", f"There is no seat {seat} among {game.table.players} players.")


def _refuse_change(game: Game, role: Role, at: Milliseconds) -> Refusal | None:
    """Return the refusal of a change that a host, or a seat for itself, makes too often."""
    seat = seat_of(role)
    if seat is None:
        return _refuse_many(game, at, 2 * RESERVE)
    if game.counted_until and game.counted_until[seat] > at + (MAX_SEAT_CHANGES - 1) * MINUTE:
        return Refusal("too_many_changes", f"Seat {seat} has changed too often: it now changes only once a minute.")
    return _refuse_many(game, at, RESERVE)


def _refuse_many(game: Game, at: Milliseconds, reserve: int = 0) -> Refusal | None:
    """Return the refusal of a change to a log that has grown too long."""
    minutes = (at - game.opened_at) // MINUTE
    return Refusal("too_many_changes", TOO_MANY_CHANGES) if game.version >= MAX_CHANGES + reserve + minutes else None


def _refuse_resigned(game: Game) -> Refusal | None:
    if game.resigned is None:
        return None
    return Refusal("game_over", f"The game is over: seat {game.resigned} resigned.")


def refuse_deal(game: Game) -> Refusal | None:
    """Return the refusal of an act before a deal: one is in play, or none can follow. Return None if one can."""
    if game.state is not None and game.resigned is None:
        try:
            setup.require_next_deal(game.state)
        except NoNextDeal as exc:
            return refuse(exc)
    return _refuse_resigned(game)


def choose_strip(game: Game, strip: tuple[CardCode, ...] | None, *, threes: bool) -> Mask | Refusal:
    """Return the cards to strip for the next deal, or the refusal if there is no next deal."""
    if refusal := _refuse_resigned(game):
        return refusal
    try:
        if threes:
            setup.require_threes(game.table)
        usual = game.table.strips[0] if game.state is None else setup.set_up_next_deal(game.state).strip
        return setup.choose_strip(game.table, usual, strip)
    except (Impossible, NoNextDeal) as exc:
        return refuse(exc)
