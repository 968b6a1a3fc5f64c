"""What Prometheus sees. Every set of labels is known in advance and started at 0; no id is ever a label."""

from service.metrics.late import uncounted
from service.metrics.requests import GONE, Measured, Route

__all__ = ["GONE", "Measured", "Route", "uncounted"]
