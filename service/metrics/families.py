"""Every metric of the service: its name, what it tells, its labels. deploy/METRICS.md is written from this file."""

from typing import Final

from prometheus_client import Counter, Gauge, disable_created_metrics

from service.metrics import buffered as late

# One more series for each of ours, which nothing here asks for.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library's

SECONDS: Final = (
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
BYTES: Final = (256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304)
_QUESTIONS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

REQUESTS: Final = late.Counter(
    "catchten_requests",
    "Requests, by route template, method and status. Stray paths and methods have the route none; "
    "status 499 means that the client left before the answer began.",
    ["route", "method", "status"],
)
REQUEST_SECONDS: Final = late.Histogram(
    "catchten_request_duration_seconds",
    "Time from a request's head to its last byte sent. An event stream, which has a route of its own, takes as long as "
    "it is open.",
    ["route", "method"],
    buckets=SECONDS,
)
IN_FLIGHT: Final = late.Gauge(
    "catchten_requests_in_flight",
    "Requests being answered now. Open event streams are not among them.",
    multiprocess_mode="livesum",
)
REQUEST_BYTES: Final = late.Histogram(
    "catchten_request_size_bytes", "Bytes read of a request's body.", ["route"], buckets=BYTES
)
RESPONSE_BYTES: Final = late.Histogram(
    "catchten_response_size_bytes", "Bytes sent of a response's body.", ["route"], buckets=BYTES
)
REFUSALS: Final = late.Counter(
    "catchten_refusals", "Problems answered, by code; each refused question of a batch is one.", ["code"]
)
BATCH_QUESTIONS: Final = late.Histogram(
    "catchten_batch_questions", "Questions in a batch that could be read.", buckets=_QUESTIONS
)

PLAYS: Final = late.Counter(
    "catchten_plays",
    "Cards judged, by ruleset and verdict: each card asked of /v1/verdicts, each card played or refused by "
    "/v1/next-states and in a live game, each play of an adjudicated record. A live play that is sent again and "
    "answered as it was at first is not counted again; the cards listed by /v1/legal-moves are not counted.",
    ["ruleset", "verdict"],
)
TRICKS: Final = late.Counter(
    "catchten_tricks", "Tricks taken in next-states, live games and adjudicated records.", ["ruleset"]
)
DEALS: Final = late.Counter(
    "catchten_deals_finished",
    "Deals that came to their end in next-states, live games and adjudicated records, the last of a game too.",
    ["ruleset"],
)
GAMES: Final = late.Counter(
    "catchten_games_finished",
    "Games won in next-states, live games and adjudicated records, by how they were won.",
    ["ruleset", "won_by"],
)
TENS_CAUGHT: Final = late.Counter(
    "catchten_tens_caught",
    "Tens of trumps (french-whist: of diamonds) taken by a side that was not dealt them, in next-states, live games "
    "and adjudicated records. Whoever played the ten was dealt it, so that the trick alone tells.",
    ["ruleset"],
)
HONOURS: Final = late.Counter(
    "catchten_honours",
    "Honours taken in tricks, in next-states, live games and adjudicated records.",
    ["ruleset", "honour"],
)

GAMES_OPEN: Final = Gauge(
    "catchten_games_open",
    "Live games in the store. Inside the process exact, and every process has its own; in Redis counted now and then "
    "by one process for all, so that all show the same number (take the largest, not the sum), NaN while it is not "
    "known.",
    multiprocess_mode="livemostrecent",
)
GAMES_CREATED: Final = late.Counter("catchten_games_created", "Live games opened; a repeated request opens none.")
GAMES_DELETED: Final = late.Counter("catchten_games_deleted", "Live games deleted by their host.")
GAMES_EXPIRED: Final = late.Counter(
    "catchten_games_expired",
    "Live games forgotten because their time without a change was over. Known only of games kept inside the process: "
    "Redis tells nobody; there it is what was created, less what was deleted and what is open.",
)
STORE_CALLS: Final = late.Counter(
    "catchten_store_calls",
    "Calls on the store of live games, by outcome: ok, down (out of reach or too slow), full.",
    ["call", "outcome"],
)
STORE_SECONDS: Final = late.Histogram(
    "catchten_store_call_duration_seconds",
    "Time that calls on the store of live games took, whatever their outcome.",
    ["call"],
    buckets=SECONDS,
)

STREAMS_OPEN: Final = late.Gauge("catchten_streams_open", "Event streams open now.", multiprocess_mode="livesum")
STREAMS_OPENED: Final = late.Counter("catchten_streams_opened", "Event streams opened.")
STREAMS_DROPPED: Final = late.Counter(
    "catchten_streams_dropped",
    "Event streams that the service refused because too many were open (too_many), or ended because their client did "
    "not read (slow).",
    ["reason"],
)

LOG_LINES_DROPPED: Final = Counter(
    "catchten_log_lines_dropped",
    "Lines of the log that were dropped because the reader of standard output was too slow, or gone.",
)

READY: Final = Gauge(
    "catchten_ready",
    "1 while the process says that requests may come, as /readyz does; else 0.",
    multiprocess_mode="livemostrecent",
)
DRAINING: Final = Gauge(
    "catchten_draining", "1 once the process was told to stop; else 0.", multiprocess_mode="livemax"
)
BUILD_INFO: Final = Gauge(
    "catchten_build_info",
    "Always 1; the labels tell the version, and the commit where the image was built from one.",
    ["version", "commit"],
    multiprocess_mode="livemax",
)
