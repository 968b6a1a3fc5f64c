"""Traces by OpenTelemetry: an extra, off unless the environment says where to. When off, nothing stands on the path."""

from collections.abc import Mapping
from importlib.util import find_spec
from logging import getLogger
from typing import Final

from litestar.types import ASGIApp

ON: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""Where to. Source: OpenTelemetry, OTLP exporter configuration."""
_logger: Final = getLogger(__name__)


def traced(app: ASGIApp, environment: Mapping[str, str]) -> ASGIApp:
    """Trace an application, if it is asked for and the extra is there."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true" or not any(environment.get(name) for name in ON):
        return app
    if find_spec("opentelemetry") is None:
        _logger.warning("no traces: install catch-the-ten[otel] for them")
        return app
    from service.runtime import spans  # noqa: PLC0415 – an extra

    return spans.over_otlp(app)
