"""POST /v1/suggestions: what each legal card leads to, and which a computer player would play."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, TypeAlias

from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from litestar.types import Scope
from msgspec import Meta, Struct

from service.api.questions.state import StateOrNotation, admit, refuse_state
from service.api.suggestion_answer import Suggestion, write_suggestion
from service.cards import NUMBER, Card
from service.computing.capacity import CapacityLimiter, FairSemaphore
from service.computing.thinking import NODES_PER_REQUEST, think
from service.faults import Fault, HandNotSeen, Impossible, NotPlaying
from service.http.body import while_connected
from service.http.caller import caller_of
from service.http.context import RequestContext, context_of
from service.http.operation import ADMIT, LOOK_UP, look_up, question
from service.http.query import read_query
from service.players.past import seats_of
from service.players.player import EFFORTS, Level
from service.players.player import Suggestion as Found
from service.rules import game
from service.rules.record import PLAYS_AT_MOST, RecordedPlay
from service.rules.view import view
from service.state import Seed, State
from service.wire.refusal import ProblemCode, Refusal, refuse, refuse_faults

WAITING_PER_PLACE: Final = 4
"""Suggestions that wait for each one that is thought out."""
_SEED: Final = "1"

_LEVELS: Final = ", ".join(f"{fillings} at `{level}`" for level, fillings in EFFORTS.items())
_WishedLevel: TypeAlias = Annotated[
    Level, Meta(description=f"How far to think: in how many deals each card is tried, {_LEVELS}.")
]
_WishedSeed: TypeAlias = Annotated[Seed, Meta(description="From which the deals to try are drawn.")]


class Wish(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The way in which a player is to think."""

    level: _WishedLevel = "medium"
    seed: _WishedSeed = _SEED


class SuggestionQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A state in play, in which the hand of the seat to play is shown, and what was played in the deal."""

    state: Annotated[StateOrNotation, Meta(description="The state, of which only what the seat to play sees is used.")]
    level: _WishedLevel = "medium"
    seed: _WishedSeed = _SEED
    plays: Annotated[
        tuple[RecordedPlay, ...],
        Meta(
            max_length=PLAYS_AT_MOST,
            description="Every play of this deal so far, in order, as in a record, the current trick included. With it "
            "the deals tried fit all that was played: who did not follow suit is void. If left out, they fit only what "
            "the state shows.",
        ),
    ] = ()


class Asked(Struct, frozen=True, gc=False):
    """A suggestion that is asked for: the state as the seat to play sees it, and all cards played to it, if known."""

    state: State
    wish: Wish
    played: tuple[Card, ...] = ()


Suggesting: TypeAlias = Callable[[Asked], Awaitable[Found]]
"""Thinks out a suggestion.

Errors: Refusal; ClientLeft; Impossible, if the cards played do not lead to the state.
"""


class Suggestions:
    """The suggestions of this process: so many are thought out at once, and some wait."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._places = FairSemaphore(at_once)
        self._capacity = CapacityLimiter(at_once * (1 + WAITING_PER_PLACE))

    def for_request(self, scope: Scope) -> Suggesting:
        """Return what thinks out the suggestion that a request asks for."""

        async def suggest(asked: Asked) -> Found:
            self._acquire(caller := caller_of(scope))
            try:
                return await while_connected(context_of(scope), self._think(asked, caller))
            finally:
                self._capacity.release(caller)

        return suggest

    async def _think(self, asked: Asked, caller: str) -> Found:
        return await think(self._places, caller, asked.state, asked.wish.level, asked.wish.seed, asked.played)

    def _acquire(self, caller: str) -> None:
        """Take a place for a suggestion.

        Errors: Refusal, if suggestions are off, or no place is left for the caller.
        """
        capacity = self._capacity
        if not self.at_once:
            raise Refusal("suggestions_off", "This service makes no suggestions.")
        if not capacity.try_acquire(caller):
            detail = f"{capacity.taken} suggestions are asked for already, {capacity.taken_by[caller]} by you."
            raise Refusal("too_many_suggestions", detail)


def read_wish(scope: Scope) -> Wish:
    """Read the query of a request.

    Errors: Refusal.
    """
    return read_query(scope, Wish)


_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "hand_not_seen",
    "deal_over",
    "game_over",
    "suggestions_off",
    "too_many_suggestions",
)
_DESCRIPTION: Final = (
    "A computer player weighs each legal card: it fills the hidden hands in ways that fit all that the seat to play "
    "can know, and plays each of these deals on. Each way is as likely as any other, except that `hard`, where "
    "`plays` are sent, holds hands likelier with which others would have played so by rule of thumb. The state is "
    "first reduced to the view of that seat, so hands that it may not see make no difference. Where all hands are "
    "known and few cards are left, the answer is exact. The same request gets the same answer on every machine. "
    "Thinking takes time, up to seconds at `hard` on a busy service, and a quota is charged by it: one request, and "
    "one more for every 1,000 `nodes`. "
)


@question(
    "/v1/suggestions",
    operation_id="suggestions",
    summary="Suggest a card, and say what each legal card leads to",
    description=_DESCRIPTION + "It cannot be asked in a batch: each suggestion is heavy, and so many at once are what "
    "the operator allows, so that nobody else waits.",
    response_description="The card, and every legal card with what it leads to and why.",
    sync_to_thread=None,
    leaving=True,
    problems=(*ADMIT, "impossible_request", *_PROBLEMS),
)
async def suggest_card(
    data: JSONBody[SuggestionQuestion],
    suggesting: NamedDependency[Suggesting],
    context: NamedDependency[RequestContext],
) -> Suggestion:
    """Suggest a card to the seat to play."""
    state = _admit_seen(data.state, "state")
    asked = Asked(state, Wish(data.level, data.seed), _read_plays(state, data.plays))
    try:
        return await _suggest(asked, suggesting, context)
    except Impossible as exc:
        raise refuse(exc) from exc


@look_up(
    "/v1/suggestions/{notation:str}",
    operation_id="get_suggestion",
    summary="Suggest a card in the position of a notation",
    description="The same answer as to POST, from a URL that caches, browsers and CDNs can keep. " + _DESCRIPTION,
    response_description="The card, and every legal card with what it leads to and why.",
    accepts=("level", "seed"),
    sync_to_thread=None,
    leaving=True,
    problems=("invalid_query", *LOOK_UP, *_PROBLEMS),
)
async def get_suggestion(
    line: NamedDependency[str],
    wish: NamedDependency[Wish],
    suggesting: NamedDependency[Suggesting],
    context: NamedDependency[RequestContext],
) -> Suggestion:
    """Suggest a card to the seat to play in the position of the notation in the path."""
    return await _suggest(Asked(_admit_seen(line, "notation"), wish), suggesting, context)


def _admit_seen(described: StateOrNotation, field: str) -> State:
    """Admit a state, and return what the seat to play sees of it.

    Errors: Refusal, also if no seat is to play, or its hand is not shown.
    """
    state = admit(described, field)
    try:
        game.require_playing(state)
    except NotPlaying as exc:
        raise refuse_state(exc, described, field) from exc
    seat = state.seat_to_play
    if state.hands[seat] < 0:
        raise refuse_state(HandNotSeen(seat), described, field, ("hands", seat))
    return view(state, seat)


def _read_plays(state: State, plays: tuple[RecordedPlay, ...]) -> tuple[Card, ...]:
    """Return the cards that were played in the deal so far.

    Errors: Refusal, if another seat was to play one of them.
    """
    played = tuple([NUMBER[made.card] for made in plays])
    for at, (made, seat) in enumerate(zip(plays, seats_of(state, played), strict=True)):
        if made.seat != seat:
            detail = f"Seat {made.seat} played {made.card}; it was seat {seat}'s turn."
            raise refuse_faults((Fault("plays_do_not_fit", ("plays", at, "seat"), detail),))
    return played


async def _suggest(asked: Asked, suggesting: Suggesting, context: RequestContext) -> Suggestion:
    """Think a suggestion out, and charge its cost."""
    found = await suggesting(asked)
    if context.charge is not None and (more := found.nodes // NODES_PER_REQUEST):
        await context.charge(context, more)
    return write_suggestion(asked.state, asked.wish.level, asked.wish.seed, found)


HANDLERS: Final[tuple[HTTPRouteHandler, ...]] = (suggest_card, get_suggestion)
