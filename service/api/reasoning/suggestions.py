"""POST /v1/suggestions: what each legal card leads to, and which a computer player would play."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from service.api.questions.state import DealPlays, read_plays, view_own_hand
from service.api.reasoning.suggestion_answer import Suggestion, write_suggestion
from service.api.reasoning.thinking import NODES_PER_REQUEST, think
from service.game.cards import Card
from service.game.faults import Impossible
from service.game.level import Level
from service.game.state import Seed, State
from service.http.decoding import read_query
from service.http.operation import ADMIT, LOOK_UP, Operation, look_up, question
from service.http.request import ApiRequest
from service.platform.ledger import ASKED_SUGGESTIONS, SUGGESTIONS, Account, FairSemaphore, Holding
from service.players.player import EFFORTS, MAX_NODES
from service.players.player import RankedOptions as Found
from service.schemas.described_state import StateOrNotation, admit
from service.schemas.ids import Caller
from service.schemas.refusal import ProblemCode, Refusal, refuse

WAITING_PER_PLACE: Final = 4
"""Suggestions that wait for each one that is thought out."""
_SEED: Final = "1"

_LEVELS: Final = ", ".join(f"{effort.fillings} at `{level}`" for level, effort in EFFORTS.items())
_WishedLevel: TypeAlias = Annotated[
    Level, Meta(description=f"How far to think: in how many deals each card is tried, {_LEVELS}.")
]
_WishedSeed: TypeAlias = Annotated[Seed, Meta(description="From which the deals to try are drawn.")]


class SuggestionOptions(Struct, frozen=True, gc=False):
    """How a computer player is to think."""

    level: _WishedLevel = "medium"
    seed: _WishedSeed = _SEED


class SuggestionQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A state in play, in which the hand of the seat to play is shown, and what was played in the deal."""

    state: Annotated[StateOrNotation, Meta(description="The state. Only what the seat to play sees is used.")]
    level: _WishedLevel = "medium"
    seed: _WishedSeed = _SEED
    plays: DealPlays = ()


class SuggestionRequest(Struct, frozen=True, gc=False):
    """A suggestion that is asked for: the state as the seat to play sees it, and all cards played to it, if known."""

    state: State
    level: Level
    seed: Seed
    played: tuple[Card, ...] = ()


Suggester: TypeAlias = Callable[[SuggestionRequest, Caller], Awaitable[Found]]
"""Thinks out a suggestion for a caller.

Errors: Refusal; Impossible, if the cards played do not lead to the state.
"""


class Suggestions:
    """The suggestions of this process: up to `at_once` are thought out at a time, and some wait."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._places = FairSemaphore(SUGGESTIONS, at_once)
        self._asked = Account(ASKED_SUGGESTIONS, at_once * (1 + WAITING_PER_PLACE))

    async def suggest(self, asked: SuggestionRequest, caller: Caller) -> Found:
        """Think out the suggestion that a caller asks for.

        Errors: Refusal; Impossible, if the cards played do not lead to the state.
        """
        if not self.at_once:
            raise Refusal("suggestions_off", "This service makes no suggestions.")
        with Holding(self._asked, caller) as place:
            place.hold(1)
            async with self._places.hold(caller):
                return await think(caller, asked.state, asked.level, asked.seed, asked.played)


_MOST_COSTS: Final = {level: nodes // NODES_PER_REQUEST for level, nodes in MAX_NODES.items()}
"""Requests, more than one, for which a suggestion counts at most, by level."""


def _price_most(asked: object) -> int:
    """Return for how many requests more than one a question may count; for the most, if it cannot be read."""
    return _MOST_COSTS[asked.level if isinstance(asked, SuggestionQuestion) else "hard"]


_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "hand_not_seen",
    "deal_over",
    "game_over",
    "suggestions_off",
    "too_many_suggestions",
)


@question(
    "/v1/suggestions",
    operation_id="suggestions",
    tag="Reasoning",
    summary="Suggest a card, and say what each legal card leads to",
    description="A hint: a computer player weighs each legal card. It fills the hidden hands in ways that fit all that "
    "the seat to play can know, with `plays` also from earlier tricks, and plays each of these deals on; `easy` tries "
    "each card in a deal of its own. Each way is as likely as any other. The state is first reduced to the view of "
    "that seat, so hands that it may not see make no difference. Where all hands are known and few cards are left, "
    "the answer is exact. The same request gets the same answer on every machine. Thinking takes time, some tenth of a "
    "second at `hard` and more on a busy service, and a quota is charged by it: one request, and one more for every "
    "1,000 `nodes`.",
    over_http="In a batch it counts, before it is thought out, for as many requests as it can take: "
    + ", ".join(f"{1 + most} at `{level}`" for level, most in _MOST_COSTS.items())
    + ".",
    response_description="The card, and every legal card with what it leads to and why.",
    is_long_running=lambda _: True,
    batch_cost=_price_most,
    cancel_on_disconnect=True,
    actual_cost=lambda answer: answer.nodes // NODES_PER_REQUEST,
    problems=(*ADMIT, "impossible_request", *_PROBLEMS),
)
async def suggest_card(body: SuggestionQuestion, request: ApiRequest, *, suggester: Suggester) -> Suggestion:
    """Suggest a card to the seat to play."""
    state = _admit_seen(body.state, "state")
    asked = SuggestionRequest(state, body.level, body.seed, read_plays(state, body.plays))
    try:
        return _write(asked, await suggester(asked, request.caller))
    except Impossible as exc:
        raise refuse(exc) from exc


@look_up(
    "/v1/suggestions/{notation}",
    operation_id="get_suggestion",
    tag="Reasoning",
    summary="Suggest a card in the position of a notation",
    description="The same answer as to POST, from a URL that caches, browsers and CDNs can keep; charged as there.",
    response_description="The card, and every legal card with what it leads to and why.",
    optional_parameters=("level", "seed"),
    cancel_on_disconnect=True,
    actual_cost=lambda answer: answer.nodes // NODES_PER_REQUEST,
    problems=("invalid_query", *LOOK_UP, *_PROBLEMS),
)
async def get_suggestion(notation: str, request: ApiRequest, *, suggester: Suggester) -> Suggestion:
    """Suggest a card to the seat to play in the position of the notation in the path."""
    options = read_query(request.query, SuggestionOptions)
    asked = SuggestionRequest(_admit_seen(notation, "notation"), options.level, options.seed)
    return _write(asked, await suggester(asked, request.caller))


def _admit_seen(described: StateOrNotation, field: str) -> State:
    """Admit a state, and return what the seat to play sees of it.

    Errors: Refusal, also if no seat is to play, or its hand is not shown.
    """
    state = admit(described, field)
    return view_own_hand(state, state.seat_to_play, described, field)


def _write(asked: SuggestionRequest, found: Found) -> Suggestion:
    return write_suggestion(asked.state, asked.level, asked.seed, found)


HANDLERS: Final[tuple[Operation, ...]] = (suggest_card, get_suggestion)
