"""The effects of the settings of a row, seen from outside: keys, quotas, CORS, metrics, traces and the log."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.programs.pairwise.caller import FORWARDED, OWN, Caller, read_code
from tests.programs.pairwise.deployment import ORIGIN, Deployment, read_log
from tests.programs.pairwise.playing import Played
from tests.programs.pairwise.replay import Replay

DRAW: Final = {"players": 2}
TRICK: Final = {"trump": "S", "leader": 1, "players": 4, "cards": ["9C", "KC"]}
BUSY: Final = (
    "this process limits rates by itself",
    "all processes limit rates together again",
    "a call on Redis failed: TimeoutError",
)
"""Warnings that the log may have: a request waits a quarter of a second for its count, which a busy machine may take.

Anything else that takes too long is answered with 503, which no caller accepts.
"""
SETTLE: Final = 10.0
"""Seconds after which all that was asked is counted."""
Counts = Counter[tuple[str, str]]
"""By metric and by the value of its label that matters here."""


def check_keys(caller: Caller) -> None:
    """Hold that a question needs a key exactly where keys are set, and that an unknown key is none."""
    for key, code in (("", "api_key_missing"), ("unknown", "unknown_api_key")):
        answer = caller.insist("POST", "/v1/draws", DRAW, x_api_key=key)
        if caller.row.keys == "no keys":
            assert answer.status_code == 200, answer.text
        else:
            assert (answer.status_code, read_code(answer)) == (401, code)
    caller.read("POST", "/v1/draws", DRAW)


def check_origins(caller: Caller) -> None:
    """Hold that a page of the origin may ask first exactly where origins are set, and another page never."""
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-api-key,if-match"}
    url, headers = caller.deployment.url, {**caller.headers, "Origin": ORIGIN}
    preflight = httpx.options(url + "/v1/draws", headers=headers | asked)
    assert ("access-control-allow-methods" in preflight.headers) is (caller.row.cors != "no origin"), preflight.headers
    strange = httpx.get(url + "/v1/rulesets", headers=headers | {"Origin": "https://strange.example"})
    allowed = strange.headers.get("access-control-allow-origin")
    assert allowed == ("*" if caller.row.cors == "any origin" else None)


def spend_quota(caller: Caller, other: Caller) -> None:
    """Let the other caller spend its quota by batches: it is refused then, also under a forged address; no one else."""
    if caller.row.rate == "no rate limit":
        return
    is_another = caller.row.proxy == "trusted proxy" and caller.row.keys == "no keys"
    # A process whose store is late counts by itself; then both counts have to be spent.
    assert any(_refuses_forged(other) for _ in range(3)) is not is_another
    assert caller.insist("POST", "/v1/draws", DRAW).status_code == 200


def _refuses_forged(other: Caller) -> bool:
    """Spend the quota of a caller, and return whether it is refused under a forged address, too."""
    _spend(other)
    forged = other.ask("POST", "/v1/draws", DRAW, x_forwarded_for="198.51.100.9")
    assert forged.status_code in {200, 429}, forged.text
    return forged.status_code == 429


def _spend(other: Caller) -> None:
    batch = {"questions": [{"kind": "trick_winners", "trick": TRICK}] * 1000}
    spent = [200]
    while spent[-1] == 200:
        assert len(spent) < 50, "the quota is not spent"
        spent.append(other.ask("POST", "/v1/batches", batch).status_code)
    assert spent[-1] == 429


def read_metrics(deployment: Deployment) -> Counts:
    """Return the counts of all that is played, and of answers by status."""
    if deployment.metrics_port != deployment.service.port:
        assert httpx.get(deployment.url + "/metrics").status_code == 404
    text = httpx.get(f"http://127.0.0.1:{deployment.metrics_port}/metrics").text
    counts = Counts()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            label = sample.labels.get("verdict") or sample.labels.get("status") or ""
            if sample.name.endswith("_total") and sample.labels.get("class") != "streams":
                counts[sample.name.removeprefix("catchten_"), label] += int(sample.value)
    return counts


def check_metrics(deployment: Deployment, before: Counts, replay: Replay, played: Played) -> None:
    """Hold that exactly what was played is counted."""
    illegal = played.slipped
    expected = {
        ("games_created_total", ""): 1,
        ("games_finished_total", ""): 1,
        ("deals_finished_total", ""): len(replay.deals) - (replay.record["resigned"] is not None),
        ("plays_total", "legal"): len(replay.turns) - (illegal and played.verdict is None),
    }
    until = time.monotonic() + SETTLE
    while True:
        grown = read_metrics(deployment) - before
        found = {name: grown[name] for name in expected}
        others = sum(count for (name, verdict), count in grown.items() if name == "plays_total" and verdict != "legal")
        if (found == expected and others == illegal) or time.monotonic() > until:
            break
        time.sleep(0.1)
    assert (found, others) == (expected, int(illegal)), (found, others, expected)


def check_counts(deployment: Deployment) -> None:
    """Hold that nothing failed."""
    counts = read_metrics(deployment)
    failed = {name: count for name, count in counts.items() if name[1].startswith("5") and count}
    assert not failed, failed
    for name in ("games_rolled_back_total", "games_lost_total", "computer_turns_dropped_total"):
        assert counts[name, ""] == 0, name


def check_log(deployment: Deployment, callers: Sequence[Caller]) -> None:
    """Hold that the log of a service that has ended names no failure, and the addresses that count."""
    lines = read_log(deployment.service)
    bad = [line for line in lines if line.level in {"warning", "error", "critical"} and not line.text.startswith(BUSY)]
    assert not bad, bad
    assert "Traceback" not in deployment.service.said()
    requests = [line.fields for line in lines if line.text.startswith("request ")]
    assert requests
    addresses = {line.get("client", "") for line in requests if line.get("route", "").startswith("/v1/")}
    named = FORWARDED if deployment.row.proxy == "trusted proxy" else OWN
    assert addresses <= {*named, "198.51.100.9"}, addresses
    assert named[0] in addresses
    apps = {line["app"] for line in requests if "app" in line}
    assert apps <= ({"arran", "bute"} if deployment.row.keys != "no keys" else set()), apps
    assert bool(apps) is (deployment.row.keys != "no keys")
    sent = {trace for caller in callers for trace in caller.traces}
    assert bool(deployment.collector.spans) is (deployment.row.traces == "traces")
    assert deployment.row.traces == "no traces" or sent <= set(deployment.collector.spans), "traces are lost"
