"""The log of a live game as a course of steps."""

from random import Random

import pytest

from service.live import log
from service.live.entries import Entry, parse_entry
from service.live.record import RecordWriter
from service.live.views import view_change
from tests.support.games.callers import Live


def test_an_entry_is_parsed_once_for_all_that_a_step_is_asked(
    live: Live, chance: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = live.open()
    table.play_game(chance)
    raws = live.run(live.store.load(table.opened.id)).entries
    parsed = list[Entry]()

    def parse(raw: bytes) -> Entry:
        parsed.append(parse_entry(raw))
        return parsed[-1]

    monkeypatch.setattr(log, "parse_entry", parse)
    steps, record = list(log.steps(raws)), RecordWriter()
    for step in steps:
        view_change(step, 0)
        record.add(step)
    assert [step.entry for step in steps] == [parse_entry(raw) for raw in raws]
    assert len(parsed) == len(raws)
