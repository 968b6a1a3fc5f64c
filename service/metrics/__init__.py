"""What Prometheus sees. Every set of labels is known in advance and started at 0; no id is ever a label."""

from service.http.middleware.metrics import GONE, Measured, Route
from service.metrics.buffered import uncounted

__all__ = ["GONE", "Measured", "Route", "uncounted"]
