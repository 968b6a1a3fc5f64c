"""Traces with OpenTelemetry's SDK; import this only if the extra [otel] is installed."""

from time import time_ns
from typing import Final

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    TraceState,
    set_span_in_context,
)

from service import __version__
from service.http.context import NO_ROUTE, RequestContext

_SCOPE: Final = InstrumentationScope("catch-the-ten", __version__)
_SAMPLED: Final = TraceFlags(TraceFlags.SAMPLED)


def trace_over_otlp() -> "Spans":
    """Return the observer that exports a span per request to the collector named in the environment."""
    service = Resource({SERVICE_NAME: "catch-the-ten", SERVICE_VERSION: __version__})
    provider = TracerProvider(resource=service.merge(OTELResourceDetector().detect()))
    processor = BatchSpanProcessor(OTLPSpanExporter())
    provider.add_span_processor(processor)  # the provider shuts it down at exit
    return Spans(provider, processor)


class Spans:
    """Makes a span of each ended request: its route, method and status, but no contents.

    Requests are timed and identified anyway, so a running request costs nothing more.
    """

    def __init__(self, provider: TracerProvider, processor: SpanProcessor) -> None:
        self._sampler = provider.sampler
        self._ids = provider.id_generator
        self._resource = provider.resource
        self._processor = processor

    def add(self, context: RequestContext, status: int, seconds: float) -> None:
        """Hand the span of a request to the processor, if the trace is sampled."""
        end, trace_id, parent = time_ns(), int(context.trace_id, 16), _find_parent(context)
        named, route = context.method, context.route
        attributes: dict[str, str | int] = {"http.request.method": named, "http.response.status_code": status}
        if route != NO_ROUTE:
            named, attributes["http.route"] = f"{named} {route}", route
        above = None if parent is None else set_span_in_context(NonRecordingSpan(parent))
        sampled = self._sampler.should_sample(above, trace_id, named, SpanKind.SERVER, attributes)
        if sampled.decision is not Decision.RECORD_AND_SAMPLE:
            return
        span = ReadableSpan(
            named,
            SpanContext(
                trace_id,
                self._ids.generate_span_id(),
                is_remote=False,
                trace_flags=_SAMPLED,
                trace_state=sampled.trace_state,
            ),
            parent,
            self._resource,
            attributes,
            kind=SpanKind.SERVER,
            status=Status(StatusCode.ERROR if status >= 500 else StatusCode.UNSET),
            start_time=end - int(seconds * 1e9),
            end_time=end,
            instrumentation_scope=_SCOPE,
        )
        self._processor.on_end(span)


def _find_parent(context: RequestContext) -> SpanContext | None:
    """Return the span that the caller names. Return None if its header is missing or malformed.

    Source: W3C Trace Context, 3.2 and 3.3.
    """
    header = context.fields.get(b"traceparent", b"")
    if header[3:35].decode("latin-1") != context.trace_id:  # the context has read the header
        return None
    sent = context.fields.get(b"tracestate")
    state = None if sent is None else TraceState.from_header([sent.decode("latin-1")])
    flags = TraceFlags(int(header[53:55], 16))
    return SpanContext(
        int(context.trace_id, 16), int(header[36:52], 16), is_remote=True, trace_flags=flags, trace_state=state
    )
