"""One span for each request, by OpenTelemetry's own instrumentation of ASGI; to be imported only where the extra is."""

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
from service.http.context import NO_ROUTE, route_of


def over_otlp(app: ASGIApp) -> "Spans":
    """Trace an application to the collector that the environment names."""
    ours = Resource({SERVICE_NAME: "catch-the-ten", SERVICE_VERSION: __version__})
    provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Spans(app, provider)


def _name(scope: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Name a span before its route is known."""
    return str(scope["method"]), {}


class Spans:
    """An ASGI application that traces the requests of another one: route, method and status, nothing that they hold."""

    def __init__(self, app: ASGIApp, provider: TracerProvider) -> None:
        self._app = app
        self.provider = provider
        named: Any = OpenTelemetryMiddleware(
            self._named,
            default_span_details=_name,
            tracer_provider=provider,
            exclude_spans=["receive", "send"],
        )
        self._instrumented: ASGIApp = named

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on within its span."""
        if scope["type"] == ScopeType.HTTP:
            # What a caller asks stays out of the span; the application still gets it.
            whole: Any = scope
            shown: Any = {**whole, "query_string": b"", "whole": whole}
            await self._instrumented(shown, receive, send)
            return

        async def sending_all(message: Any) -> None:  # the types know only messages of requests
            if message["type"] == "lifespan.shutdown.complete":  # with it the process ends
                await asyncio.to_thread(self.provider.shutdown)
            await send(message)

        await self._app(scope, receive, sending_all)

    async def _named(self, shown: Any, receive: Receive, send: Send) -> None:
        scope, span = shown["whole"], trace.get_current_span()
        scope["state"]["trace_id"] = trace.format_trace_id(span.get_span_context().trace_id)

        async def naming_send(message: Message) -> None:
            # The route is known by now, and with the end of the answer the span ends.
            if message["type"] == "http.response.start" and (route := route_of(scope)) != NO_ROUTE:
                span.update_name(f"{scope['method']} {route}")
                span.set_attribute("http.route", route)
            await send(message)

        await self._app(scope, receive, naming_send)
