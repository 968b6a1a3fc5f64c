"""POST /v1/claims: whether a seat's claim on the rest of a deal holds."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from service.api.questions.state import DealPlays, admit_for_seat, read_plays, view_own_hand
from service.game.cards import CODES
from service.game.faults import Fault, Impossible
from service.game.generators import Sliced
from service.game.rules.past import find_hidden_after
from service.game.rules.record import RecordedPlay
from service.game.rulesets import Seat
from service.game.state import Claim, to_claim
from service.http.operation import ADMIT_PROBLEMS, question
from service.players.claims.search import MAX_NODES, ClaimResult, judge_claim
from service.schemas.described_state import StateOrNotation
from service.schemas.refusal import refuse, refuse_faults

ClaimOutcome: TypeAlias = Literal["holds", "refuted", "undecided"]
NODES_PER_REQUEST: Final = 100
"""Nodes per request of quota: each takes over ten times the CPU of a suggestion's node."""
MOST_COST: Final = MAX_NODES // NODES_PER_REQUEST
"""The highest cost of a claim, in requests beyond the first."""


class ClaimQuestion(Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A seat's claim: all remaining tricks, or a number of tricks or points from them."""

    state: Annotated[
        StateOrNotation, Meta(description="The state. Only what the seat sees is used; its hand is shown.")
    ]
    seat: Annotated[Seat, Meta(description="The seat that claims; another may be to play.")]
    tricks: Annotated[
        Annotated[int, Meta(ge=1, le=18)] | None,
        Meta(
            description="How many tricks its side takes at least, from the current one on. If neither this nor "
            "`points` is given, the seat claims that no other side takes another trick."
        ),
    ] = None
    points: Annotated[
        Annotated[int, Meta(ge=1, le=100_000)] | None,
        Meta(
            description="How many points its side makes at least, beyond those that it has made in this deal so far, "
            "as the ruleset counts honours and cards. Not together with `tricks`."
        ),
    ] = None
    plays: DealPlays = None
    """All plays of the deal; None if unknown."""


class Refutation(Struct, frozen=True, gc=False):
    """Hidden hands and a line of play that refute a claim."""

    state: Annotated[Claim, Meta(description="The state with all hands shown, filled so that the plays are legal.")]
    plays: Annotated[
        tuple[RecordedPlay, ...],
        Meta(
            max_length=36,
            description="The plays from the state on, up to the trick after which the claim cannot be made any more; "
            "[] if it cannot be made from the start.",
        ),
    ]


class ClaimJudgment(Struct, frozen=True, gc=False):
    """The judgment on a claim, and the line that refutes it."""

    outcome: Annotated[
        ClaimOutcome,
        Meta(
            description="holds: the seat has a play against every play of all others, its partners among them, "
            "however the hidden hands are filled. refuted: some filling and some plays defeat each of its plays. "
            f"undecided: {MAX_NODES:,} cards played in the search did not decide it."
        ),
    ]
    refutation: Annotated[
        Refutation | None,
        Meta(
            description="What refutes the claim, null unless it is refuted: of the lines found, one in which the seat "
            "itself plays the card that holds out longest."
        ),
    ]
    nodes: Annotated[int, Meta(ge=0, description="The cards played to find this; a quota is charged by it.")]


@question(
    "/v1/claims",
    operation_id="claims",
    tag="Reasoning",
    summary="Judge a claim to the rest of a deal against every play and every filling",
    description="A seat claims all tricks that are left or, with its side, a number of tricks or points of them. The "
    "state is first reduced to its view, so hands that it may not see make no difference. The claim holds if the seat, "
    "who sees its own hand and every card played, can make it against every play: all others play against it, its "
    "partners too, and the hidden hands are filled at their will, in any way that fits all that is in sight, and "
    "`plays` if they are sent. What a hidden hand plays shows what it cannot hold: who does not follow suit is void. "
    "Where the target wins at once, a claim also holds if the side wins the game before the last trick. "
    f"Searching takes time: a quota is charged one request, and one more for every {NODES_PER_REQUEST:,} `nodes`; in a "
    f"batch a claim counts for {MOST_COST + 1} requests. The same request gets the same answer on every machine.",
    response_description="What becomes of the claim and, if it is refuted, by what.",
    problems=(*ADMIT_PROBLEMS, "impossible_request", "hand_not_seen", "deal_over", "game_over"),
    is_long_running=lambda _: True,
    batch_cost=lambda _: MOST_COST,
    actual_cost=lambda answer: answer.nodes // NODES_PER_REQUEST,
)
def answer_claim(body: ClaimQuestion) -> Sliced[ClaimJudgment]:
    """Judge a claim, and yield between pieces of work.

    Errors: Refusal.
    """
    if body.tricks is not None and body.points is not None:
        raise refuse_faults((Fault("fields_contradict", ("points",), "Claim `tricks` or `points`, not both."),))
    state = view_own_hand(admit_for_seat(body.state, body.seat), body.seat, body.state)
    try:
        known = find_hidden_after(state, read_plays(state, body.plays))
    except Impossible as exc:
        raise refuse(exc) from exc
    return _write((yield from judge_claim(known, body.seat, body.tricks, body.points)))


def _write(found: ClaimResult) -> ClaimJudgment:
    if found.deal is None:
        return ClaimJudgment(found.outcome, None, found.nodes)
    plays = tuple([RecordedPlay(seat, CODES[card]) for seat, card in found.plays])
    return ClaimJudgment(found.outcome, Refutation(to_claim(found.deal), plays), found.nodes)
