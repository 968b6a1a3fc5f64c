"""A collector of traces on the loopback: it takes what is exported to it by OTLP over HTTP."""

from collections.abc import Generator
from contextlib import contextmanager
from gzip import decompress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

_SERVICE: Final = "service.name"


class Collector:
    """A collector of exports: the URL for them, their number, and by trace id the names of the spans."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.exports = 0
        self.services = set[str]()
        self.spans: dict[str, list[str]] = {}

    def take(self, raw: bytes) -> None:
        """Take an export."""
        self.exports += 1
        for resource in ExportTraceServiceRequest.FromString(raw).resource_spans:
            self.services |= {fact.value.string_value for fact in resource.resource.attributes if fact.key == _SERVICE}
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                self.spans.setdefault(span.trace_id.hex(), []).append(span.name)


@contextmanager
def collecting() -> Generator[Collector]:
    """Collect traces until the end."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            collector.take(decompress(raw) if self.headers["content-encoding"] == "gzip" else raw)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 – the names of the base class
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(f"http://127.0.0.1:{server.server_address[1]}")
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
