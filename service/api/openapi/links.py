"""Links of the OpenAPI document: parts of an answer that are parameters of the next request.

They fill no bodies: generators read a link's body as one expression.
"""

from typing import Any, Final, TypeAlias

Link: TypeAlias = dict[str, Any]

_TARGETS: Final = {
    "legal_moves": ("get_legal_moves", "The cards that may be played now."),
    "scores": ("get_scores", "Count the deal as far as it has gone."),
    "position": ("get_position", "Everything that follows from the state."),
    "game": ("get_game", "Get the game."),
    "first_deal": ("deal_next", "Deal, with the token of the dealer or the host."),
    "changes": ("list_changes", "The changes after a version."),
    "entropy": ("add_entropy", "Add entropy to the shuffle, with the token of a seat."),
    "play_card": ("play_card", "Play a card, with the token of the seat whose turn it is."),
    "record": ("get_record", "The record of the deals that are over."),
    "ruleset": ("get_ruleset", "One of the rulesets."),
}
_NOTATION: Final = {"notation": "$response.body#/position/notation"}
_OF_POSITION: Final[dict[str, Link]] = dict.fromkeys(("legal_moves", "scores", "position"), _NOTATION)
_OPENED: Final = {"game_id": "$response.body#/id"}
_SAME_GAME: Final = {"game_id": "$request.path.game_id"}
_PARAMETERS: Final[dict[str, dict[str, Link]]] = {
    "deals": _OF_POSITION,
    "next_states": _OF_POSITION,
    "open_game": {"game": _OPENED, "first_deal": _OPENED, "entropy": _OPENED},
    "open_rematch": {"game": _OPENED, "first_deal": _OPENED},
    "deal_next": {"game": _SAME_GAME, "play_card": _SAME_GAME, "changes": _SAME_GAME},
    "play_card": {"game": _SAME_GAME, "play_card": _SAME_GAME, "changes": _SAME_GAME},
    "resign": {"game": _SAME_GAME, "record": _SAME_GAME},
    "list_rulesets": {"ruleset": {"ruleset_id": "$response.body#/rulesets/0/id"}},
}


def links_of(operation: str) -> dict[str, Link]:
    """List the links of an operation's answer, by name."""
    links: dict[str, Link] = {}
    for name, parameters in _PARAMETERS.get(operation, {}).items():
        target, description = _TARGETS[name]
        links[name] = {"operationId": target, "description": description, "parameters": parameters}
    return links
