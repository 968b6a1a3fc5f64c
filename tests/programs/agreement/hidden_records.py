"""Records with hidden hands get the verdicts that all possible hands share, and never fail.

`python -m tests.programs.agreement.hidden_records 20000` compares 20,000 random records, and as many that are spoiled.
"""

import sys
from collections import Counter
from random import Random

from tests.programs.agreement.any_record import Hidden, any_record, spoil
from tests.programs.agreement.asking import Json
from tests.programs.agreement.expected import as_held
from tests.reference import engine
from tests.reference.records import Judged, Read, read_record, winners
from tests.support.http.client import post


def compare_record(hidden: Hidden) -> Counter[str]:
    """Compare the adjudication of a record with its reading, and return how often each verdict was given."""
    answer = post("/v1/adjudications", hidden.record)
    assert answer.status == 200, answer
    judged = answer.read(Json)
    told = compare_adjudication(judged, hidden.record)
    for at, deal in enumerate(judged["deals"]):
        found = {revoke["play_index"] for revoke in hidden.record["deals"][at]["revokes_found"]}
        for verdict, was_legal in _believed_of_none(deal["verdicts"], hidden.was_legal[at], found):
            assert "undecided" in verdict or verdict["legal"] is was_legal, verdict
    return told


def compare_adjudication(judged: Json, record: Json) -> Counter[str]:
    """Compare an adjudication with the reading of its record, and return how often each verdict was given."""
    deals, wrong = read_record(record)
    assert [_without_texts(found) for found in judged["irregularities"]] == wrong
    told = Counter[str]()
    for deal, read in zip(judged["deals"], deals, strict=True):
        told.update(compare_deal(deal, read))
    assert judged["winners"] == winners(deals)
    return told


def _without_texts(found: Json) -> Json:
    return {name: found[name] for name in ("pointer", "deal_index", "play_index", "code")}


def compare_deal(deal: Json, read: Read) -> list[str]:
    """Compare a deal with its reading; return its verdicts in a word each."""
    assert deal["phase"] == engine.phase(read.end)
    assert deal["points"] == engine.points(read.end)
    assert deal["totals"] == engine.totals(read.end)
    verdicts = zip(deal["verdicts"], read.verdicts, strict=True)
    return [compare_verdict(verdict, judged, read) for verdict, judged in verdicts]


def compare_verdict(verdict: Json, judged: Judged, read: Read) -> str:
    """Compare a verdict with the verdict of every hand; return it in a word."""
    assert (verdict["seat"], verdict["card"]) == (judged.seat, judged.card)
    assert verdict["legal"] is (None in judged.reasons)
    undecided = verdict["legal"] and len(judged.reasons) > 1
    assert verdict["undecided"] is undecided
    several = not verdict["legal"] and len(judged.reasons) > 1
    one = None if verdict["legal"] else "depends_on_hand" if several else next(iter(judged.reasons))
    assert verdict["reason"] == one
    possible = verdict["possible"] and {possible["reason"] for possible in verdict["possible"]}
    assert possible == (judged.reasons if several else None)
    legal = None if judged.legal_cards is None else as_held(read.end, judged.legal_cards)
    assert verdict["legal_cards"] == legal
    return "undecided" if undecided else str(one)


def _believed_of_none(verdicts: list[Json], was_legal: list[bool], found: set[int]) -> list[tuple[Json, bool]]:
    """Pair the verdicts with the truth, except where the table is believed, which may be wrong."""
    pairs = zip(verdicts, was_legal, strict=False)
    return [pair for at, pair in enumerate(pairs) if at not in found]


def compare_records(count: int, seed: str) -> Counter[str]:
    """Compare records, spoil each, and return how often each verdict was given."""
    told = Counter[str]()
    for number in range(count):
        chance = Random(f"{seed}-{number}")
        hidden = any_record(chance)
        told.update(compare_record(hidden))
        spoiled = post("/v1/adjudications", spoil(hidden.record, chance))
        assert spoiled.status in {200, 400, 422}, spoiled
        told[f"status {spoiled.status}"] += 1
    return told


if __name__ == "__main__":
    count = int(sys.argv[1])
    told = compare_records(count, "-".join(sys.argv[2:]) or "records")
    print(f"{count} records agree:", ", ".join(f"{name} {times}" for name, times in sorted(told.items())))
