"""An HTTP parser that ignores offers of an upgrade. A server may do so (RFC 9110, 7.8).

httptools treats every offer as accepted: it ends the request after its head and reads the body as the next request.
Java's HTTP client and `curl --http2` offer HTTP/2 with their requests.
"""

from array import array
from typing import Final

from httptools import HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Parser(HttpRequestParser):
    """A parser that replaces itself at an offer: the new one reads the head again without the offer, then the body.

    The old one cannot go on: after a head that asks to close the connection, it silently drops what follows.
    """

    def __init__(self, protocol: HttpToolsProtocol) -> None:
        super().__init__(protocol)
        self._protocol: Final = protocol

    def feed_data(self, data: "bytes | bytearray | memoryview | array[int]") -> None:
        """Parse received bytes, at most to the end of a head.

        Errors: HttpParserError; HttpParserUpgrade for CONNECT, which cannot be ignored.
        """
        try:
            super().feed_data(data)
        except HttpParserUpgrade:
            if self.get_method() == b"CONNECT":
                raise
            self._protocol.parser = Parser(self._protocol)
            self._protocol.parser.feed_data(self._format_head())

    def _format_head(self) -> bytes:
        """Return the head just parsed without its offer; no parsed field contains a line end."""
        version = self.get_http_version().encode()
        fields = (b"%b: %b" % field for field in self._protocol.scope["headers"] if field[0] != b"upgrade")
        return b"\r\n".join((b"%b %b HTTP/%b" % (self.get_method(), self._protocol.url, version), *fields, b"", b""))
