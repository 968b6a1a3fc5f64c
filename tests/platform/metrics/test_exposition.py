"""The metrics are shown as the library's text, compressed for those who ask for that, and are few."""

import gzip
from typing import Final

import pytest

from tests.support.http.client import Request, ask
from tests.support.http.server import Line, serving

MOST_SERIES: Final = 600
MOST_BYTES: Final = 48 * 1024


@pytest.mark.parametrize("accepted", ["gzip", "deflate, GZIP;q=0.5", "identity, gzip"])
def test_a_scrape_is_compressed_for_who_accepts_that(accepted: str) -> None:
    answer = ask(Request("/metrics", method="GET", headers=(("accept-encoding", accepted),)))
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    written = gzip.decompress(answer.body)
    assert written.startswith(b"# HELP ")
    assert len(answer.body) < len(written) / 5


@pytest.mark.parametrize("accepted", [None, "", "identity", "gzip;q=0", "br"])
def test_and_for_nobody_else(accepted: str | None) -> None:
    headers = () if accepted is None else (("accept-encoding", accepted),)
    answer = ask(Request("/metrics", method="GET", headers=headers))
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.body.startswith(b"# HELP ")


def test_a_replica_that_was_asked_nothing_shows_600_series_at_most() -> None:
    with serving() as server, Line(server.port) as line:
        written = line.ask("/metrics", method="GET").body
    shown = [sample for sample in written.splitlines() if not sample.startswith(b"#")]
    assert 0 < len(shown) <= MOST_SERIES
    assert len(written) <= MOST_BYTES
