"""The answers to a large corpus of requests are, byte for byte, those that are kept in answers.txt."""

import pytest

from tests.http.golden import SECTIONS, ask_section, read_answers


@pytest.mark.parametrize("name", SECTIONS)
def test_every_request_gets_the_answer_that_is_kept(name: str) -> None:
    asked, kept = ask_section(name), read_answers().get(name, [])
    for line, golden, request, answer in zip(asked.lines, kept, asked.requests, asked.answers, strict=False):
        if line != golden:
            pytest.fail(
                f"{golden} was kept; if this is meant, make golden:\n{line}\n{request}\n{answer}", pytrace=False
            )
    assert len(asked.lines) == len(kept)
    assert len({line[:3] for line in kept}) > 1, "all have one status"
