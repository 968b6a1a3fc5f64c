"""The list of all questions, from questions/ and reasoning/."""

from typing import Final

from service.api.questions.adjudications import adjudicate_record
from service.api.questions.deals import deal_cards
from service.api.questions.diagnoses import diagnose_state
from service.api.questions.draws import draw_dealer
from service.api.questions.legal_moves import get_legal_moves, list_legal_moves
from service.api.questions.next_states import play_cards
from service.api.questions.positions import get_position, show_position
from service.api.questions.scores import count_deal, get_scores
from service.api.questions.trick_winners import find_trick_winner
from service.api.questions.verdicts import judge_card
from service.api.questions.views import show_view
from service.api.reasoning.analyses import analyze
from service.api.reasoning.claims import answer_claim
from service.api.reasoning.knowledge import show_knowledge
from service.http.operation import Operation

QUESTIONS: Final[tuple[Operation, ...]] = (
    deal_cards,
    show_position,
    list_legal_moves,
    judge_card,
    find_trick_winner,
    play_cards,
    count_deal,
    diagnose_state,
    show_view,
    show_knowledge,
    answer_claim,
    analyze,
    adjudicate_record,
    draw_dealer,
)
"""Every question, in the order of the document."""
LOOKED_UP: Final[tuple[Operation, ...]] = (get_position, get_legal_moves, get_scores)
"""Every question that also has a form with a notation in the path."""
