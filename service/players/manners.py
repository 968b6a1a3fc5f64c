"""Cards that only give points away: no computer player plays them."""

from service.game.cards import Mask
from service.players.board import Board
from service.players.order import higher


def find_dominated(board: Board, unseen: Mask) -> Mask:
    """Return the honours that are worse than another legal card for every holding of the others.

    No card of the seat saves the trick of the board, and a weaker card would give the others fewer points. A plain card
    is weaker than a trump, unless it is the best one left of its suit.
    """
    unseen &= ~(board.hands[board.seat] | board.pile)
    above = board.live & -board.best << 1
    if not board.pile or _may_win(board, unseen & above):
        return 0
    order, dominated = board.order, 0
    losing = board.legal & ~above
    for card in order.honours:
        suit, worth = order.led_by[card][0], order.values[card]
        cheaper = losing & ~sum([each for each in order.honours if order.values[each] >= worth])
        weaker = cheaper & suit & (card - 1)
        if suit == order.trumps:
            weaker |= sum([cheaper & each & ~higher(cheaper & each, unseen & each) for each in order.plain])
        if card & losing and weaker:
            dominated |= card
    return dominated


def _may_win(board: Board, beating: Mask) -> bool:
    """Return True if the seat's side may win the trick with a card other than the one played now.

    Shape: `beating` are the unseen cards that beat the best one of the trick.
    """
    side_of, seat = board.side_of, board.seat
    if side_of[board.winner] == side_of[seat]:
        return True
    later = [(seat + at) % len(side_of) for at in range(1, (board.leader - seat) % len(side_of))]
    return beating != 0 and side_of[seat] in [side_of[each] for each in later]
