"""The log of failed calls on Redis: why at once, and how many have failed since, a line in a while."""

import pytest

from service.live.store.redis import failures
from service.platform.rare_log import LOG_EVERY, RareLog


def test_the_first_failure_is_logged_at_once_and_the_next_after_a_while_with_the_number_of_those_between(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(failures, "log", RareLog(failures.LINE, lambda: now))
    for failure in (ConnectionError("refused"), TimeoutError(), TimeoutError()):
        failures.log_failure(failure)
    now += LOG_EVERY - 0.1
    failures.log_failure(TimeoutError())
    now += 0.1
    failures.log_failure(ValueError("disk full"))
    now += LOG_EVERY
    failures.log_failure(TimeoutError())
    assert [record.getMessage() for record in caplog.records] == [
        "a call on Redis failed: ConnectionError: refused (failed since the last such line: 1)",
        "a call on Redis failed: ValueError: disk full (failed since the last such line: 4)",
        "a call on Redis failed: TimeoutError (failed since the last such line: 1)",
    ]
    assert {record.levelname for record in caplog.records} == {"WARNING"}
