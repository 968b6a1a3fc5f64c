"""Traces by OpenTelemetry's own instrumentation of ASGI; to be imported only where the extra [otel] is installed."""

import asyncio
from collections.abc import Mapping
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.asgi import OpenTelemetryMiddleware  # pyright: ignore[reportMissingTypeStubs]
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from service import __version__
from service.http.context import NO_ROUTE, context_of, route_of


def trace_over_otlp(app: ASGIApp) -> "Traced":
    """Return an application that traces another one and exports its spans to the collector in the environment."""
    service = Resource({SERVICE_NAME: "catch-the-ten", SERVICE_VERSION: __version__})
    provider = TracerProvider(resource=service.merge(OTELResourceDetector().detect()))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Traced(app, provider)


class Traced:
    """An ASGI application that makes one span of each request to another one: its route, method and status only."""

    def __init__(self, app: ASGIApp, provider: TracerProvider) -> None:
        self._app = app
        self.provider = provider
        instrumented: Any = OpenTelemetryMiddleware(
            self._name_span,
            default_span_details=_name_by_method,
            tracer_provider=provider,
            exclude_spans=["receive", "send"],
        )
        self._instrumented: ASGIApp = instrumented

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on within its span."""
        if scope["type"] == ScopeType.HTTP:
            # The instrumentation gets a copy without the query, so that the span cannot hold it; the application
            # gets the original.
            original: Any = scope
            copy: Any = {**original, "query_string": b"", "original": original}
            await self._instrumented(copy, receive, send)
            return

        async def exporting_send(message: Any) -> None:  # the types know only messages of requests
            if message["type"] == "lifespan.shutdown.complete":  # the process ends after it
                await asyncio.to_thread(self.provider.shutdown)
            await send(message)

        await self._app(scope, receive, exporting_send)

    async def _name_span(self, copy: Any, receive: Receive, send: Send) -> None:
        scope, span = copy["original"], trace.get_current_span()
        scope["state"]["trace_id"] = trace.format_trace_id(span.get_span_context().trace_id)

        async def naming_send(message: Message) -> None:
            # The route is known by now, and the span ends with the answer.
            if message["type"] == "http.response.start" and (route := route_of(scope)) != NO_ROUTE:
                span.update_name(f"{context_of(scope).method} {route}")
                span.set_attribute("http.route", route)
            await send(message)

        await self._app(scope, receive, naming_send)


def _name_by_method(scope: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name of a span whose route is not known yet, and no attributes."""
    return str(scope["method"]), {}
