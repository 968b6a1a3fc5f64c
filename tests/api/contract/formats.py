"""MessagePack for schemathesis, which knows only JSON by itself."""

import schemathesis


@schemathesis.serializer("text/vnd.catch-the-ten.record")
def write_text(_: object, value: object) -> bytes:
    """Write a record as text."""
    return str(value).encode(errors="replace")
