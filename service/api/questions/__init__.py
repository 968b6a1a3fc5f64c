"""The questions: nothing is stored, the answer follows from the request alone. One file for each.

A file holds the body that its question takes, the answer that it gives, and the declaration of the operation.
"""

from typing import Final

from litestar.handlers import HTTPRouteHandler

from service.api.questions.adjudications import adjudicate_record
from service.api.questions.deals import deal_cards
from service.api.questions.diagnoses import diagnose_state
from service.api.questions.draws import draw_dealer
from service.api.questions.legal_moves import list_legal_moves
from service.api.questions.next_states import play_cards
from service.api.questions.positions import show_position
from service.api.questions.scores import count_deal
from service.api.questions.trick_winners import find_trick_winner
from service.api.questions.verdicts import judge_card
from service.api.questions.views import show_view

QUESTIONS: Final[tuple[HTTPRouteHandler, ...]] = (
    deal_cards,
    show_position,
    list_legal_moves,
    judge_card,
    find_trick_winner,
    play_cards,
    count_deal,
    diagnose_state,
    show_view,
    adjudicate_record,
    draw_dealer,
)
"""Every question, in the order of the document."""
