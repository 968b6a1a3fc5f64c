"""Every metric of the service: its name, meaning and labels. deploy/METRICS.md is generated from this file."""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics import MetricWrapperBase

from service import __version__
from service.platform.build import BUILD, COMMIT

# They would add a series each that no rule and no dashboard uses.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library's

SECONDS: Final = (0.002, 0.02, 0.1, 0.25, 1.0, 5.0)
"""The buckets of every duration. The alerts need 0.1 for questions and the event loop, and 0.25 for plays and the
store.

`histogram_quantile` interpolates within a bucket, so an alert's threshold must be a bucket.
"""
_QUESTIONS: Final = (1, 10, 100, 1000)

REQUESTS: Final = Counter(
    "catchten_requests",
    "Requests, by class and status; 499 if the client left before the answer began. A tool called at /mcp counts "
    "as its operation.",
    ["class", "status"],
)
REQUEST_SECONDS: Final = Histogram(
    "catchten_request_duration_seconds",
    "Time from the head of a request to the last byte of its answer, by class. A stream takes as long as it is open.",
    ["class"],
    buckets=SECONDS,
)
IN_FLIGHT: Final = Gauge("catchten_requests_in_flight", "Requests being answered now, without open event streams.")
REQUEST_BYTES: Final = Counter("catchten_request_bytes", "Bytes read of requests' bodies.")
RESPONSE_BYTES: Final = Counter("catchten_response_bytes", "Bytes sent of responses' bodies.")
REFUSALS: Final = Counter(
    "catchten_refusals", "Problems answered, by code. Each refused question of a batch counts as one.", ["code"]
)
BATCH_QUESTIONS: Final = Histogram("catchten_batch_questions", "Readable questions in a batch.", buckets=_QUESTIONS)
APP_REQUESTS: Final = Counter(
    "catchten_app_requests",
    "Requests of each app, by outcome: answered, refused (4xx), limited (429, its rate limit), "
    "left (before the answer began), failed (5xx).",
    ["app", "outcome"],
)
RATES_UNSHARED: Final = Counter(
    "catchten_rate_limit_unshared",
    "Requests that the process counted for the rate limit without the store.",
)
API_KEYS_STALE: Final = Gauge(
    "catchten_api_keys_stale",
    "1 while the file of API keys cannot be read or holds none, and the keys read before still count; else 0.",
)

PLAYS: Final = Counter(
    "catchten_plays",
    "Cards judged by /v1/verdicts, /v1/next-states, live games and adjudications, by verdict. A repeated live play "
    "counts once.",
    ["verdict"],
)
TRICKS: Final = Counter("catchten_tricks", "Tricks taken in next-states and in live games.", ["ruleset"])
DEALS: Final = Counter(
    "catchten_deals_finished",
    "Deals finished in next-states, live games and adjudicated records, including the last deal of a game.",
    ["ruleset"],
)
GAMES_FINISHED: Final = Counter(
    "catchten_games_finished",
    "Games won in next-states, live games and adjudicated records, by how they were won.",
    ["won_by"],
)
TENS_CAUGHT: Final = Counter(
    "catchten_tens_caught",
    "Tens of trumps (french-whist: of diamonds) taken by a side that was not dealt them, in next-states and in "
    "live games.",
    ["ruleset"],
)
HONOURS: Final = Counter(
    "catchten_honours",
    "Honours taken in tricks, in next-states and in live games.",
    ["honour"],
)

THINKING_SECONDS: Final = Histogram(
    "catchten_thinking_seconds",
    "Time that a computer player worked on one card, by level, without waiting.",
    ["level"],
    buckets=SECONDS,
)
THINKING_NODES: Final = Counter(
    "catchten_thinking_nodes", "Cards that computer players played in their searches, by level.", ["level"]
)
THINKING: Final = Gauge("catchten_thinking", "Computer players that think about a card now.")
COMPUTER_PLAYS: Final = Counter(
    "catchten_computer_plays", "Cards that the computer played in live games, by level.", ["level"]
)
ABSENT_MOVES: Final = Counter(
    "catchten_absent_moves",
    "Moves that the computer made in live games for a seat out of time: cards, which count by level as well, and "
    "deals.",
    ["move"],
)
TURNS_OVERDUE: Final = Gauge(
    "catchten_computer_turns_overdue",
    "Moves of computers and absent seats that are overdue by ten seconds, without those that wait for a quota.",
)
COMPUTER_TURNS_DROPPED: Final = Counter(
    "catchten_computer_turns_dropped",
    "Turns of the computer that did not begin, because too many waited. The next request for the game begins them.",
)

STORE_USED: Final = Gauge(
    "catchten_store_used_ratio",
    "How full the store is, from 0 to 1: used memory divided by maxmemory, or by the machine's memory, on the "
    "fullest node; without Redis, games divided by 10,000 or 64 MiB. NaN: unknown.",
)
STORE_EVICTS: Final = Gauge(
    "catchten_store_evicts",
    "1 if maxmemory-policy is not noeviction, so Redis drops games when its memory is full, else 0. NaN while unknown.",
)
STORE_UNAWAITED: Final = Gauge(
    "catchten_store_replicas_not_awaited",
    "Connected replicas minus STORE_REPLICAS, on the worst primary: a takeover by one may lose changes. 0 if "
    "STORE_REPLICAS is 0, NaN while unknown.",
)
STORE_MISSING: Final = Gauge(
    "catchten_store_replicas_missing",
    "STORE_REPLICAS minus connected replicas, on the worst primary. NaN while unknown.",
)
STORE_DISK_FAILS: Final = Gauge(
    "catchten_store_disk_fails",
    "1 if a Redis failed to write or rewrite its log, or to write a snapshot, else 0. NaN while unknown.",
)
GAMES_CREATED: Final = Counter("catchten_games_created", "Live games opened. A repeated request counts once.")
GAMES_DELETED: Final = Counter("catchten_games_deleted", "Live games deleted by their host.")
GAMES_EXPIRED: Final = Counter(
    "catchten_games_expired",
    "Live games that expired. Counted without Redis only, which reports no expiry.",
)
GAMES_ROLLED_BACK: Final = Counter(
    "catchten_games_rolled_back",
    "Live games that a process found without the latest change that it knew. Each process counts by itself.",
)
GAMES_LOST: Final = Counter(
    "catchten_games_lost",
    "Live games, neither deleted nor expired, that a process knew and no longer found. Each process counts by itself, "
    "when asked for the game.",
)
GAMES_UNREADABLE: Final = Counter(
    "catchten_games_unreadable", "Live games that a process could not read, because another version stored them."
)
FEED_GAMES: Final = Counter(
    "catchten_feed_games",
    "Finished games put into the feeds of their apps, by outcome: won, abandoned, deleted.",
    ["outcome"],
)
FEED_DROPPED: Final = Counter(
    "catchten_feed_dropped",
    "Finished games that an app can no longer read, by reason: room (the feed was full) or lost (the store lost "
    "the log first).",
    ["reason"],
)
STORE_CALLS: Final = Counter(
    "catchten_store_calls",
    "Calls to the store, by outcome: ok, down (unreachable or too slow), full, share (the caller's share is used). "
    "Calls for the games of apps count as `feed`.",
    ["call", "outcome"],
)
STORE_SECONDS: Final = Histogram(
    "catchten_store_call_duration_seconds",
    "Duration of calls to the store, failed ones too.",
    ["call"],
    buckets=SECONDS,
)

STREAMS_OPEN: Final = Gauge("catchten_streams_open", "Event streams open now.")
STREAMS_OPENED: Final = Counter("catchten_streams_opened", "Event streams opened.")
STREAMS_DROPPED: Final = Counter(
    "catchten_streams_dropped",
    "Event streams refused because too many were open (too_many), or closed because the client did not read (slow).",
    ["reason"],
)

CONNECTIONS_DROPPED: Final = Counter(
    "catchten_connections_dropped",
    "Connections closed, by reason: slow (the client did not read), crowded (too many unread answers), "
    "idle (too many were open, and it had no request), pieces (a body in too many small pieces).",
    ["reason"],
)

LOG_LINES_DROPPED: Final = Counter(
    "catchten_log_lines_dropped",
    "Log lines dropped because the reader of standard output was too slow, or gone.",
)
EVENT_LOOP_LAG: Final = Histogram(
    "catchten_event_loop_lag_seconds",
    "Time by which the event loop was late, sampled four times a second. Every request waits that long for its turn.",
    buckets=SECONDS,
)

READY: Final = Gauge("catchten_ready", "1 while the process is ready, as /readyz reports it, else 0.")
DRAINING: Final = Gauge("catchten_draining", "1 after a signal to stop, else 0.")
BUILD_INFO: Final = Gauge(
    "catchten_build_info",
    "Always 1. The labels are the version, the build (pure or compiled) and the commit of the image.",
    ["version", "commit", "build"],
)
BUILD_INFO.labels(__version__, COMMIT, BUILD).set(1)


def list_families() -> list[MetricWrapperBase]:
    """List every metric of this file."""
    return [family for family in globals().values() if isinstance(family, MetricWrapperBase)]
