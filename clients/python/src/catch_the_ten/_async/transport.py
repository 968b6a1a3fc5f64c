"""Sending requests, with retries."""

from contextlib import aclosing
from typing import Final, TypeVar

import httpx
from tenacity import AsyncRetrying, retry_if_exception, stop_before_delay

from catch_the_ten.following import amessages_of
from catch_the_ten.refusal import NoAnswer, Refusal
from catch_the_ten.request import HEAVY, Request, read, refuse
from catch_the_ten.retrying import passes, wait_again

Content = TypeVar("Content")

AGENT: Final = "catch-the-ten-client"
_LOST: Final = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError)
_STREAM: Final = "text/event-stream"
_HEAVY_WAIT: Final = 10.0
"""The shortest timeout of a heavy question in seconds, even without patience."""


class AsyncTransport:
    """Sends requests to one service.

    Unit: `patience`, for how long one call is repeated, and a heavy question waits for its answer, and `silence`, after
    which a stream is dead, in seconds.
    """

    def __init__(self, url: str, key: str, patience: float, silence: float, http: httpx.AsyncClient) -> None:
        self._url = url.rstrip("/")
        self._headers = {"User-Agent": AGENT} | ({"X-API-Key": key} if key else {})
        self._patience = patience
        self._http = http
        self.silence = silence
        self._is_streaming = False
        """True if a stream came through, and none fell silent since."""

    async def ask(self, request: Request, kind: type[Content]) -> Content:
        """Return the answer to a request.

        Errors: Refusal, NoAnswer.
        """
        content: Content = await self._retrying()(self._ask_once, self._build(request), kind)
        return content

    async def open(self, request: Request) -> httpx.Response:
        """Open a stream; the caller closes it.

        Errors: Refusal; NoAnswer, also if a proxy buffers streams; httpx.TransportError.
        """
        if not self._is_streaming:
            await self._try_stream(self._build(request, self.silence / 8))
        return await self._open_once(self._build(request, self.silence))

    async def _try_stream(self, request: httpx.Request) -> None:
        """Open a stream for its first message, which comes at once unless a proxy buffers streams, and close it."""
        stream = await self._open_once(request)
        try:
            async with aclosing(amessages_of(stream)) as messages:
                self._is_streaming = await anext(messages, None) is not None
        finally:
            await stream.aclose()
        if not self._is_streaming:
            raise NoAnswer(f"{request.url.host} ends its streams at once.")

    def lose_stream(self, failed: Exception) -> None:
        """Note how a stream was lost.

        Errors: the failure itself, if the service refuses for good.
        """
        if isinstance(failed, Refusal) and not failed.passes:
            raise failed
        if isinstance(failed, (httpx.TimeoutException, NoAnswer)):
            self._is_streaming = False

    def _retrying(self) -> AsyncRetrying:
        stop = stop_before_delay(self._patience)
        return AsyncRetrying(retry=retry_if_exception(passes), wait=wait_again, stop=stop, reraise=True)

    def _build(self, request: Request, silence: float | None = None) -> httpx.Request:
        url = httpx.URL(self._url + request.path, params=dict(request.query))
        headers = self._headers | request.write_headers()
        built = self._http.build_request(request.method, url, headers=headers, content=request.write_body())
        wait = max(self._patience, _HEAVY_WAIT) if request.path.startswith(HEAVY) else silence
        if wait is not None:
            built.extensions["timeout"] = built.extensions["timeout"] | {"read": wait}
        return built

    async def _ask_once(self, request: httpx.Request, kind: type[Content]) -> Content:
        return read(await self._send(request), kind)

    async def _open_once(self, request: httpx.Request) -> httpx.Response:
        response = await self._send(request, stream=True)
        if response.is_success and response.headers.get("content-type", "").startswith(_STREAM):
            return response
        try:
            await response.aread()
        except _LOST as exc:
            raise NoAnswer(f"{request.url.host} cannot be reached: {exc!r}") from exc
        finally:
            await response.aclose()
        refuse(response)
        raise NoAnswer(f"{request.url.host} does not stream.", response.status_code)

    async def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        try:
            return await self._http.send(request, stream=stream)
        except _LOST as exc:
            raise NoAnswer(f"{request.url.host} cannot be reached: {exc!r}") from exc
