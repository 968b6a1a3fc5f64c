"""The refusals of changes to a live game, before its log is touched."""

from service.cards import CardCode, Mask
from service.faults import Impossible, NoNextDeal
from service.games.log import Game
from service.games.tokens import require_bearer
from service.revision import NOTHING, Revision
from service.rules import setup
from service.rulesets import Seat
from service.wire.refusal import Refusal, refuse, refuse_fields, refuse_seat


def require_revision(revision: Revision | None) -> Revision:
    """Return the revision that a change names.

    Errors: Refusal, if it names none.
    """
    if revision is None:
        raise Refusal("version_needed", "Send the version that you saw in If-Match, as its ETag gave it.")
    refuse_unreadable(revision)
    return revision


def refuse_unreadable(revision: Revision | None) -> None:
    """Refuse an If-Match that is not one revision.

    Errors: Refusal.
    """
    if revision == NOTHING:
        detail = 'If-Match is one version as the ETag of the game gave it, such as "7-1f3a9c02", quotes included.'
        raise Refusal("bad_version", detail)


def resigning_seat(game: Game, token: str | None, seat: Seat | None) -> Seat:
    """Return the seat that resigns.

    Errors: Refusal, unless the token is of that seat, or of the host, who has to name it.
    """
    bearer = require_bearer(game, token)
    if bearer == "spectator":
        raise Refusal("token_missing", "To resign needs the seat's token or the host's.")
    if seat is not None and seat >= game.table.players:
        raise refuse_seat("seat", seat, game.table.players)
    if bearer == "host":
        if seat is None:
            raise refuse_fields("fields_missing", "The host has no seat: name the `seat` that resigns.", "seat")
        return seat
    if seat not in {None, bearer}:
        raise Refusal("wrong_token", f"Only seat {seat} or the host can resign for it.")
    return bearer


def refuse_resigned(game: Game) -> None:
    """Refuse a change to a game that a resignation has ended.

    Errors: Refusal.
    """
    if game.resigned is not None:
        raise Refusal("game_over", f"The game is over: seat {game.resigned} resigned.")


def require_no_deal(game: Game) -> None:
    """Refuse what comes before a deal while one is played, or none can follow.

    Errors: Refusal.
    """
    refuse_resigned(game)
    if game.state is not None:
        try:
            setup.require_next_deal(game.state)
        except NoNextDeal as exc:
            raise refuse(exc) from exc


def choose_strip(game: Game, strip: tuple[CardCode, ...] | None, *, threes: bool) -> Mask:
    """Return the cards to strip for the next deal.

    Errors: Refusal, if there is no next deal, or it cannot be dealt so.
    """
    refuse_resigned(game)
    try:
        if threes:
            setup.require_threes(game.table)
        usual = game.table.strips[0] if game.state is None else setup.set_up_next_deal(game.state).strip
        return setup.choose_strip(game.table, usual, strip)
    except (Impossible, NoNextDeal) as exc:
        raise refuse(exc) from exc
