"""The links of the OpenAPI document: which part of an answer the next request can take.

A link fills in a part of the next request; the rest of it, such as the seat of a view, is up to the caller.
"""

from typing import Any, Final, TypeAlias

Link: TypeAlias = dict[str, Any]

_STATE: Final = "$response.body#/position/state"
_LEGAL: Final = "$response.body#/position/legal_cards/0"
_OF_POSITION: Final[dict[str, Link]] = {
    "legal_moves": {"state": _STATE},
    "play": {"state": _STATE, "cards": [_LEGAL]},
    "verdict": {"state": _STATE, "card": _LEGAL},
    "position": {"state": _STATE},
    "scores": {"state": _STATE},
    "view": {"state": _STATE},
}
_TARGETS: Final = {
    "legal_moves": ("legal_moves", "The cards that may be played now."),
    "play": ("next_states", "Play the first of the legal cards."),
    "verdict": ("verdicts", "The verdict on the first of the legal cards."),
    "scores": ("scores", "Count the deal as far as it has gone."),
    "view": ("views", "The state as a seat may see it."),
    "position": ("positions", "Everything that follows from the state."),
    "diagnosis": ("diagnoses", "The faults of the state: none."),
    "trick_winner": ("trick_winners", "The seat that holds the current trick."),
    "next_deal": ("deals", "The next deal, once this one is over."),
    "game": ("get_game", "Get the game."),
    "first_deal": ("deal_next", "Deal, with the token of the dealer or the host."),
    "changes": ("list_changes", "The changes after a version."),
    "entropy": ("add_entropy", "Add entropy to the shuffle, with the token of a seat."),
    "play_card": ("play_card", "Play a card, with the token of the seat whose turn it is."),
    "record": ("get_record", "The record of the deals that are over."),
    "adjudication": ("adjudications", "Adjudicate the record."),
    "ruleset": ("get_ruleset", "One of the rulesets."),
}
_BODIES: Final[dict[str, dict[str, Link]]] = {
    "deals": {**_OF_POSITION, "diagnosis": {"state": _STATE}},
    "next_states": {**_OF_POSITION, "trick_winner": {"state": _STATE}, "next_deal": {"after": _STATE}},
    "positions": {"play": {"state": "$response.body#/state", "cards": ["$response.body#/legal_cards/0"]}},
    "views": {"legal_moves": {"state": "$response.body#/state"}},
    "legal_moves": {"play": {"state": "$request.body#/state", "cards": ["$response.body#/legal_cards/0"]}},
}
_OPENED: Final = {"game_id": "$response.body#/id"}
_SAME_GAME: Final = {"game_id": "$request.path.game_id"}
_PARAMETERS: Final[dict[str, dict[str, Link]]] = {
    "open_game": {"game": _OPENED, "first_deal": _OPENED, "entropy": _OPENED},
    "deal_next": {"game": _SAME_GAME, "play_card": _SAME_GAME},
    "play_card": {"game": _SAME_GAME, "play_card": _SAME_GAME, "changes": _SAME_GAME},
    "resign": {"game": _SAME_GAME, "record": _SAME_GAME},
    "list_rulesets": {"ruleset": {"ruleset_id": "$response.body#/rulesets/0/id"}},
}
_WHOLE_BODIES: Final = {"get_record": {"adjudication": "$response.body"}}


def links_of(operation: str) -> dict[str, Link]:
    """List the links of an operation's answer, by name."""
    filled: dict[str, dict[str, Any]] = {
        "requestBody": {**_BODIES.get(operation, {}), **_WHOLE_BODIES.get(operation, {})},
        "parameters": _PARAMETERS.get(operation, {}),
    }
    links: dict[str, Link] = {}
    for part, values in filled.items():
        for name, value in values.items():
            target, description = _TARGETS[name]
            links[name] = {"operationId": target, "description": description, part: value}
    return links
