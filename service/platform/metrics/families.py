"""Every metric of the service: its name, meaning and labels. deploy/METRICS.md is generated from this file."""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics import MetricWrapperBase

from service import __version__
from service.platform.build import BUILD, COMMIT

# They would be one more series for each, which no rule and no dashboard uses.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library's

SECONDS: Final = (0.002, 0.02, 0.1, 0.25, 1.0, 5.0)
"""The buckets of every duration. The rules need 0.1, of questions and the event loop, and 0.25, of plays and the store.

`histogram_quantile` interpolates within a bucket, so a threshold of an alert has to be a bucket.
"""
_QUESTIONS: Final = (1, 10, 100, 1000)

REQUESTS: Final = Counter(
    "catchten_requests",
    "Requests, by class and status. Status 499 means that the client left before the answer began. A tool called at "
    "/mcp counts as a request of its operation, with the status that this would have had alone.",
    ["class", "status"],
)
REQUEST_SECONDS: Final = Histogram(
    "catchten_request_duration_seconds",
    "Time from the head of a request to the last byte of its answer, by class. An event stream takes as long as it is "
    "open.",
    ["class"],
    buckets=SECONDS,
)
IN_FLIGHT: Final = Gauge("catchten_requests_in_flight", "Requests being answered now, without open event streams.")
REQUEST_BYTES: Final = Counter("catchten_request_bytes", "Bytes read of requests' bodies.")
RESPONSE_BYTES: Final = Counter("catchten_response_bytes", "Bytes sent of responses' bodies.")
REFUSALS: Final = Counter(
    "catchten_refusals", "Problems answered, by code; each refused question of a batch counts as one.", ["code"]
)
BATCH_QUESTIONS: Final = Histogram(
    "catchten_batch_questions", "Questions in a batch that could be decoded.", buckets=_QUESTIONS
)
APP_REQUESTS: Final = Counter(
    "catchten_app_requests",
    "Requests of each app, by the name of its API key, and by outcome: answered, refused (4xx), limited (429, its rate "
    "limit), left (it left before the answer began), failed (5xx).",
    ["app", "outcome"],
)
RATES_UNSHARED: Final = Counter(
    "catchten_rate_limit_unshared",
    "Requests that the process counted for the rate limit by itself, because the store did not count them.",
)
API_KEYS_STALE: Final = Gauge(
    "catchten_api_keys_stale",
    "1 while the file of API keys cannot be read, or holds none, so that the keys read before it still count; else 0.",
)

PLAYS: Final = Counter(
    "catchten_plays",
    "Cards judged, by verdict: each card sent to /v1/verdicts, each card played or refused by "
    "/v1/next-states and in a live game, each play of an adjudicated record. A repeated live play, which is "
    "answered as at first, is counted once; the cards listed by /v1/legal-moves are not counted.",
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
    "live games. The seat that played the ten was dealt it.",
    ["ruleset"],
)
HONOURS: Final = Counter(
    "catchten_honours",
    "Honours taken in tricks, in next-states and in live games.",
    ["honour"],
)

THINKING_SECONDS: Final = Histogram(
    "catchten_thinking_seconds",
    "Time for which a computer player worked on one card, by level, without the time for which it waited for its turn.",
    ["level"],
    buckets=SECONDS,
)
THINKING_NODES: Final = Counter(
    "catchten_thinking_nodes", "Cards that computer players have played in their searches, by level.", ["level"]
)
THINKING: Final = Gauge("catchten_thinking", "Computer players that think about a card now.")
COMPUTER_PLAYS: Final = Counter(
    "catchten_computer_plays", "Cards that the computer has played in live games, by level.", ["level"]
)
ABSENT_MOVES: Final = Counter(
    "catchten_absent_moves",
    "Moves that the computer has made in live games for a seat whose time had run out: cards played, which are counted "
    "by level as well, and deals.",
    ["move"],
)
TURNS_OVERDUE: Final = Gauge(
    "catchten_computer_turns_overdue",
    "Moves of computers and absent seats, due for over ten seconds and not made, but for those that wait for a quota.",
)
COMPUTER_TURNS_DROPPED: Final = Counter(
    "catchten_computer_turns_dropped",
    "Turns of the computer in live games that were not begun, because too many waited, of all callers or of this one; "
    "the next request for the game begins its turn.",
)

STORE_USED: Final = Gauge(
    "catchten_store_used_ratio",
    "Share of what the store of live games may hold that it holds: with Redis, of maxmemory, or without one of the "
    "machine's memory, where it is fullest; without Redis, of 10,000 games or 64 MiB. NaN while it is not known.",
)
STORE_EVICTS: Final = Gauge(
    "catchten_store_evicts",
    "1 if Redis drops games when its memory is full, because maxmemory-policy is not noeviction, else 0. NaN while it "
    "is not known.",
)
STORE_UNAWAITED: Final = Gauge(
    "catchten_store_replicas_not_awaited",
    "Replicas that a Redis primary has beyond STORE_REPLICAS, where it has most: a change is acknowledged although "
    "some may not have it, and lost if one of these takes over. 0 if STORE_REPLICAS is 0, NaN while it is not known.",
)
STORE_MISSING: Final = Gauge(
    "catchten_store_replicas_missing",
    "Replicas that a Redis primary lacks of STORE_REPLICAS, where it lacks most. NaN while it is not known.",
)
STORE_DISK_FAILS: Final = Gauge(
    "catchten_store_disk_fails",
    "1 if a Redis failed when it last wrote its log, its log anew, or a snapshot, else 0. NaN while it is not known.",
)
GAMES_CREATED: Final = Counter("catchten_games_created", "Live games opened; a repeated request opens none.")
GAMES_DELETED: Final = Counter("catchten_games_deleted", "Live games deleted by their host.")
GAMES_EXPIRED: Final = Counter(
    "catchten_games_expired",
    "Live games that expired, because nothing changed them for their ttl. Counted only without Redis, which reports no "
    "expiry; there it is the games created, less those deleted and those open.",
)
GAMES_ROLLED_BACK: Final = Counter(
    "catchten_games_rolled_back",
    "Times that a process found a live game without the latest change that it knew of: the store has lost the change, "
    "as when a replica takes over that did not have it yet. Each process that finds it counts it.",
)
GAMES_LOST: Final = Counter(
    "catchten_games_lost",
    "Live games that a process knew and no longer found in the store, though they were neither deleted nor expired, as "
    "when Redis comes back empty. Each process that knew the game counts it once, when it is asked for.",
)
GAMES_UNREADABLE: Final = Counter(
    "catchten_games_unreadable", "Times that a process could not read a live game that another version has stored."
)
FEED_GAMES: Final = Counter(
    "catchten_feed_games",
    "Finished games put into the feeds of their apps, by outcome: won, abandoned, deleted.",
    ["outcome"],
)
FEED_DROPPED: Final = Counter(
    "catchten_feed_dropped",
    "Finished games that an app can no longer read, by reason: room (its feed was full, and the oldest went) or lost "
    "(the store had lost the log before the game was in the feed).",
    ["reason"],
)
STORE_CALLS: Final = Counter(
    "catchten_store_calls",
    "Calls to the store of live games, by outcome: ok, down (unreachable or too slow), full, share (one caller has as "
    "much in it as one may). Calls for the games of apps count as `feed`.",
    ["call", "outcome"],
)
STORE_SECONDS: Final = Histogram(
    "catchten_store_call_duration_seconds",
    "Duration of calls to the store of live games, failed ones too.",
    ["call"],
    buckets=SECONDS,
)

STREAMS_OPEN: Final = Gauge("catchten_streams_open", "Event streams open now.")
STREAMS_OPENED: Final = Counter("catchten_streams_opened", "Event streams opened.")
STREAMS_DROPPED: Final = Counter(
    "catchten_streams_dropped",
    "Event streams refused because too many were open (too_many), or closed because their client did not read (slow).",
    ["reason"],
)

CONNECTIONS_DROPPED: Final = Counter(
    "catchten_connections_dropped",
    "Connections closed by reason. slow: the client did not read what waited for it. crowded: too much waited, for all "
    "clients or for this one. idle: too many were open, and this one had no whole request. pieces: a body came in very "
    "many small pieces.",
    ["reason"],
)

LOG_LINES_DROPPED: Final = Counter(
    "catchten_log_lines_dropped",
    "Log lines dropped because the reader of standard output was too slow, or gone.",
)
EVENT_LOOP_LAG: Final = Histogram(
    "catchten_event_loop_lag_seconds",
    "Time by which the event loop was late, looked at four times a second: so long every request waits for its turn.",
    buckets=SECONDS,
)

READY: Final = Gauge("catchten_ready", "1 while the process is ready, as /readyz reports it, else 0.")
DRAINING: Final = Gauge("catchten_draining", "1 after a signal to stop, else 0.")
BUILD_INFO: Final = Gauge(
    "catchten_build_info",
    "Always 1; the labels are the version, the build (pure or compiled) and, if the image names one, the commit.",
    ["version", "commit", "build"],
)
BUILD_INFO.labels(__version__, COMMIT, BUILD).set(1)


def list_families() -> list[MetricWrapperBase]:
    """List every metric of this file."""
    return [family for family in globals().values() if isinstance(family, MetricWrapperBase)]
