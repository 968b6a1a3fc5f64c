"""The validity of a caller's own ruleset."""

from collections.abc import Iterator

from msgspec.structs import asdict, astuple

from service.game.faults import Fault, Path
from service.game.names import is_shown
from service.game.rulesets.ruleset import Ruleset, TableRule


def ruleset_faults(ruleset: Ruleset) -> tuple[Fault, ...]:
    """Return every fault of a caller's ruleset, none if it is valid; paths start at the ruleset."""
    return tuple(_ruleset_faults(ruleset))


def _ruleset_faults(ruleset: Ruleset) -> Iterator[Fault]:
    yield from _text_faults(ruleset)
    if ruleset.card_points == "none" and not any(astuple(ruleset.honours)):
        detail = "No side can score: honours are worth nothing, and cards count none."
        yield Fault("ruleset_without_points", ("card_points",), detail)
    seen: set[int] = set()
    for index, rule in enumerate(ruleset.tables):
        path: Path = ("tables", index)
        if rule.players in seen:
            detail = f"Another table of the ruleset is for {rule.players} players, too."
            yield Fault("ruleset_table_twice", (*path, "players"), detail)
        seen.add(rule.players)
        yield from _size_faults(rule, path)
        yield from _side_faults(rule, path)
        yield from _strip_faults(rule, path)


def _text_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Find texts that are not fully visible: the name, and others unless empty."""
    texts: dict[Path, str] = {("name",): ruleset.name, ("description",): ruleset.description}
    for field, source in asdict(ruleset.sources).items():
        texts |= {("sources", field, "where"): source.where, ("sources", field, "says"): source.says}
    for path, text in texts.items():
        if not ((text.isascii() and path != ("name",)) or is_shown(text)):
            yield Fault("ruleset_not_shown", path, "The text cannot be seen, or has characters that cannot.")


def _size_faults(rule: TableRule, path: Path) -> Iterator[Fault]:
    dealt, left = rule.players * rule.hands * rule.cards, 36 - len(set(rule.strip))
    if dealt > left:
        detail = f"{rule.players} players with {rule.hands} × {rule.cards} cards need {dealt}, the pack has {left}."
        yield Fault("ruleset_too_many_cards", (*path, "cards"), detail)


def _side_faults(rule: TableRule, path: Path) -> Iterator[Fault]:
    for at, sides in enumerate(rule.sides):
        if rule.players % sides:
            detail = f"{rule.players} seats do not form {sides} equal sides."
            yield Fault("ruleset_uneven_sides", (*path, "sides", at), detail)
        if sides in rule.sides[:at]:
            yield Fault("ruleset_sides_twice", (*path, "sides", at), f"{sides} sides are named twice.")


def _strip_faults(rule: TableRule, path: Path) -> Iterator[Fault]:
    for name, cards in (("strip", rule.strip), ("strip_choice", rule.strip_choice)):
        for at, code in enumerate(cards):
            if code[0] in "TJQKA":
                detail = f"{code} may be an honour, so it cannot be stripped."
                yield Fault("ruleset_strips_honour", (*path, name, at), detail)
            if code in cards[:at]:
                yield Fault("ruleset_strip_twice", (*path, name, at), f"{code} is named twice.")
    if rule.strip_choice and not (rule.strip and set(rule.strip) <= set(rule.strip_choice)):
        detail = "strip_choice must hold the cards of strip, " + ("all of them." if rule.strip else "which has none.")
        yield Fault("ruleset_strip_choice", (*path, "strip_choice"), detail)
