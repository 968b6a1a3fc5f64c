"""Traces: one span per request, in the caller's trace, without contents."""

import signal
from typing import Final

import pytest
from litestar.types import Receive, Scope, Send
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service.api.counting import count_answer
from service.app import create_app
from service.http.guards.front import Front
from service.platform.settings import Settings
from service.server import startup
from service.server.logging import RequestLine
from service.server.tracing import Spans
from tests.server.recorded_log import RecordedLog
from tests.support.http.client import Request, ask
from tests.support.http.collector import collecting
from tests.support.http.server import Line, serving
from tests.support.patience import WAIT

TRACE: Final = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT: Final = "00f067aa0ba902b7"


def asked(request: Request) -> tuple[ReadableSpan, RequestLine]:
    """Send a request: its span and its line in the log."""
    kept, log = InMemorySpanExporter(), RecordedLog()
    spans = Spans(TracerProvider(shutdown_on_exit=False), SimpleSpanProcessor(kept))
    ask(request, create_app(Settings(), observers=[log.add, spans.add]))
    (span,) = kept.get_finished_spans()
    (line,) = log.lines
    return span, line


def test_a_question_is_one_span_that_goes_on_with_the_trace_of_its_caller() -> None:
    headers = (("traceparent", f"00-{TRACE}-{PARENT}-01"),)
    span, line = asked(Request("/v1/draws", (b'{"players":2}',), headers=headers))
    assert span.context is not None
    assert span.parent is not None
    assert f"{span.context.trace_id:032x}" == line.trace_id == TRACE
    assert f"{span.parent.span_id:016x}" == PARENT
    assert span.name == "POST /v1/draws"
    assert span.attributes is not None
    assert span.attributes["http.route"] == "/v1/draws"
    assert 200 in span.attributes.values()


def test_a_trace_that_begins_here_is_the_one_in_the_log() -> None:
    span, line = asked(Request("/livez", method="GET"))
    assert span.context is not None
    assert f"{span.context.trace_id:032x}" == line.trace_id


def test_a_stray_path_has_no_route() -> None:
    span, _ = asked(Request("/nowhere", method="GET"))
    assert span.name == "GET"
    assert "http.route" not in (span.attributes or {})


@pytest.mark.parametrize("body", [b'{"players":2,"seed":"joshua"}', b"joshua"])
def test_a_span_holds_nothing_of_what_is_asked(body: bytes) -> None:
    headers = (("authorization", "Bearer hunter2"), ("x-api-key", "swordfish"), ("cookie", "xyzzy"))
    span, _ = asked(Request("/v1/draws?mellon=mellon", (body,), headers=headers))
    for secret in ("hunter2", "swordfish", "xyzzy", "joshua", "mellon"):
        assert secret not in span.to_json()


@pytest.mark.parametrize(("flags", "spans"), [("01", 1), ("00", 0), ("03", 1)])
def test_the_caller_says_whether_a_trace_is_sampled(flags: str, spans: int) -> None:
    headers = (("traceparent", f"00-{TRACE}-{PARENT}-{flags}"), ("tracestate", "rojo=00f067aa0ba902b7"))
    kept = InMemorySpanExporter()
    watched = Spans(TracerProvider(shutdown_on_exit=False), SimpleSpanProcessor(kept))
    ask(Request("/livez", method="GET", headers=headers), create_app(Settings(), observers=[watched.add]))
    found = kept.get_finished_spans()
    assert len(found) == spans
    assert all(span.context is not None and "rojo" in span.context.trace_state for span in found)


@pytest.mark.parametrize(
    "sent", ["", "x", f"00-{TRACE}-{PARENT}", f"00-{'0' * 32}-{PARENT}-01", f"ff-{TRACE}-{PARENT}-01"]
)
def test_a_malformed_parent_begins_a_trace_of_its_own(sent: str) -> None:
    span, line = asked(Request("/livez", method="GET", headers=(("traceparent", sent),)))
    assert span.parent is None
    assert line.trace_id != TRACE


def test_a_fault_of_the_service_is_an_error_of_its_span_and_a_refusal_is_not() -> None:
    refused, _ = asked(Request("/readyz?exclude=nothing", method="GET"))
    assert (refused.attributes or {})["http.response.status_code"] == 400
    assert refused.status.is_unset
    kept = InMemorySpanExporter()
    watched = Spans(TracerProvider(shutdown_on_exit=False), SimpleSpanProcessor(kept))
    with pytest.raises(ZeroDivisionError):
        ask(Request("/failing"), Front(_fail, (), count_answer, [watched.add]))
    (failed,) = kept.get_finished_spans()
    assert not failed.status.is_ok
    assert not failed.status.is_unset


async def _fail(_: Scope, __: Receive, ___: Send) -> None:
    raise ZeroDivisionError


def test_a_stop_sends_what_is_known_yet() -> None:
    with serving(OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9", LOG_FORMAT="json", LOG_LEVEL="info") as server:
        with Line(server.port) as line:
            assert line.ask("/livez", method="GET").status == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stdout is not None
        said = server.process.stdout.read()
        assert server.process.wait(WAIT) == 0
    assert "Failed to export" in said  # nobody listens there: it was tried
    assert "Exception in" not in said


def test_spans_reach_a_collector() -> None:
    headers = ("traceparent", f"00-{TRACE}-{PARENT}-01")
    with collecting() as collector:
        with serving(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url) as server:
            with Line(server.port) as line:
                assert line.ask("/v1/draws", b'{"players":2}', headers).status == 200
                assert line.ask("/livez", b"", headers, method="GET").status == 200
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(WAIT) == 0
        assert collector.spans == {TRACE: ["POST /v1/draws", "GET /livez"]}
        assert collector.services == {"catch-the-ten"}


def test_without_the_extra_it_stays_off_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    missing: dict[str, object] = {}
    monkeypatch.setattr(startup, "find_spec", missing.get)
    assert list(startup.list_traces({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})) == []
    assert "catch-the-ten[otel]" in caplog.text
