"""The metrics are shown as the library's text, compressed for those who ask for that."""

import gzip

import pytest

from tests.support.http.client import Request, ask


@pytest.mark.parametrize("accepted", ["gzip", "deflate, GZIP;q=0.5", "identity, gzip"])
def test_a_scrape_is_compressed_for_who_accepts_that(accepted: str) -> None:
    answer = ask(Request("/metrics", method="GET", headers=(("accept-encoding", accepted),)))
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    written = gzip.decompress(answer.body)
    assert written.startswith(b"# HELP ")
    assert len(answer.body) < len(written) / 10


@pytest.mark.parametrize("accepted", [None, "", "identity", "gzip;q=0", "br"])
def test_and_for_nobody_else(accepted: str | None) -> None:
    headers = () if accepted is None else (("accept-encoding", accepted),)
    answer = ask(Request("/metrics", method="GET", headers=headers))
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.body.startswith(b"# HELP ")
