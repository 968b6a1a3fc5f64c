"""House rules with the attacker's texts."""

from typing import Any


def house_rules(text: str, number: int = 0) -> dict[str, Any]:
    """Return a ruleset with a text wherever it takes one."""
    source = {"where": text[:80], "says": text[:300]}
    fields = ("tables", "opening_lead", "following", "void", "revoke", "winning")
    return {
        "id": f"house-{number}", "name": text[:60], "description": text,
        "tables": [{"players": 4, "hands": 1, "cards": 9, "sides": [2]}],
        "three_at_a_time": False, "first_dealer": "anyone", "opening_lead": "any_card", "void": "any_card",
        "revoke": "not_allowed", "card_points": "above_share", "ten": "trumps", "winning": "counting_order",
        "sources": dict.fromkeys(fields, source),
    }  # fmt: skip
