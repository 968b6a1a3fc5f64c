"""POST /v1/suggestions: the outlook of each legal card, and a computer player's choice."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from service.api.questions.state import DealPlays, read_plays, view_own_hand
from service.api.reasoning.suggestion_answer import Suggestion, write_suggestion
from service.api.reasoning.thinking import NODES_PER_REQUEST
from service.game.faults import Impossible
from service.game.generators import Sliced
from service.game.level import Level
from service.game.state import Seed
from service.http.operation import ADMIT_PROBLEMS, LOOK_UP_PROBLEMS, Operation, look_up, question
from service.http.parameters import LEVEL, SEED
from service.http.request import ApiRequest
from service.players.player import EFFORTS, MAX_NODES, weigh_cards
from service.schemas.described_state import StateOrNotation, admit_described
from service.schemas.refusal import ProblemCode, Refusal, refuse

_SEED: Final = "1"

_LEVELS: Final = ", ".join(f"{effort.fillings} at `{level}`" for level, effort in EFFORTS.items())
_WishedLevel: TypeAlias = Annotated[
    Level, Meta(description=f"How far to think: in how many deals each card is tried, {_LEVELS}.")
]
_WishedSeed: TypeAlias = Annotated[Seed, Meta(description="From which the deals to try are drawn.")]


class SuggestionRequest(ApiRequest, frozen=True):
    """A request for a suggestion by URL, with the level of the computer player."""

    level: Level = "medium"
    seed: Seed = _SEED


class SuggestionQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A state in play, in which the hand of the seat to play is shown, and what was played in the deal."""

    state: Annotated[StateOrNotation, Meta(description="The state. Only what the seat to play sees is used.")]
    level: _WishedLevel = "medium"
    seed: _WishedSeed = _SEED
    plays: DealPlays = None


class Offer(Struct, frozen=True, gc=False):
    """What this service computes."""

    suggestions: bool


_MOST_COSTS: Final = {level: nodes // NODES_PER_REQUEST for level, nodes in MAX_NODES.items()}
"""The highest cost of a suggestion by level, in requests beyond the first."""


def _price_most(asked: object) -> int:
    """Return the highest cost of a question, in requests beyond the first; the most if it is unreadable."""
    return _MOST_COSTS[asked.level if isinstance(asked, SuggestionQuestion) else "hard"]


_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "hand_not_seen",
    "deal_over",
    "game_over",
    "suggestions_off",
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
    actual_cost=lambda answer: answer.nodes // NODES_PER_REQUEST,
    problems=(*ADMIT_PROBLEMS, "impossible_request", *_PROBLEMS),
)
def suggest_card(body: SuggestionQuestion, *, offer: Offer) -> Sliced[Suggestion]:
    """Suggest a card to the seat to play."""
    return (yield from _suggest(body.state, "state", body, offer))


@look_up(
    "/v1/suggestions/{notation}",
    operation_id="get_suggestion",
    tag="Reasoning",
    summary="Suggest a card in the position of a notation",
    description="The same answer as to POST, from a URL that caches, browsers and CDNs can keep; charged as there.",
    response_description="The card, and every legal card with what it leads to and why.",
    optional_parameters=(LEVEL, SEED),
    is_long_running=lambda _: True,
    actual_cost=lambda answer: answer.nodes // NODES_PER_REQUEST,
    problems=("invalid_query", *LOOK_UP_PROBLEMS, *_PROBLEMS),
)
def get_suggestion(notation: str, request: SuggestionRequest, *, offer: Offer) -> Sliced[Suggestion]:
    """Suggest a card to the seat to play in the position of the notation in the path."""
    asked = SuggestionQuestion(state=notation, level=request.level, seed=request.seed)
    return (yield from _suggest(notation, "notation", asked, offer))


def _suggest(described: StateOrNotation, field: str, asked: SuggestionQuestion, offer: Offer) -> Sliced[Suggestion]:
    """Suggest a card to the seat to play, from its view.

    Errors: Refusal, also if no seat is to play, or its hand is not shown.
    """
    if not offer.suggestions:
        raise Refusal("suggestions_off", "This service makes no suggestions.")
    state = admit_described(described, field)
    seen = view_own_hand(state, state.seat_to_play, described, field)
    try:
        found = yield from weigh_cards(seen, EFFORTS[asked.level], asked.seed, read_plays(seen, asked.plays))
    except Impossible as exc:
        raise refuse(exc) from exc
    return write_suggestion(seen, asked.level, asked.seed, found)


HANDLERS: Final[tuple[Operation, ...]] = (suggest_card, get_suggestion)
