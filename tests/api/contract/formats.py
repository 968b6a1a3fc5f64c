"""The format of bodies beside JSON, as schemathesis writes it: all that it has to be told from outside."""

import schemathesis


@schemathesis.serializer("text/vnd.catch-the-ten.record")
def write_text(_: object, value: object) -> bytes:
    """Write a record as text."""
    return str(value).encode(errors="replace")
