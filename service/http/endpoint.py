"""The endpoint of an operation: it authorizes, negotiates, reads, decodes, asks and writes.

Every request for an operation comes through it; only a batch calls the functions of its questions itself. The framework
routes to it as to an ASGI application; the server calls `answer` for a plain request that arrived whole, and a tool
calls `call`.
"""

from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, cast

from litestar.types import ASGIApp, HTTPScope, Receive, Send

from service.game.generators import Sliced, run_to_end
from service.game.notation.encoding import drop_mark
from service.http.arguments import Take, take_over_http
from service.http.body import (
    LIGHT_BYTES,
    ClientLeft,
    hold_body,
    read_body,
    refuse_body,
    require_size,
    require_type,
    while_connected,
)
from service.http.context import RequestContext, context_of, names_host
from service.http.decoding import BodyDecoder, decoder_of
from service.http.guards.auth import Auth
from service.http.negotiation import Format, negotiate
from service.http.operation import Operation
from service.http.problem_document import answer_exception
from service.http.request import caller_of
from service.http.response import PRIVATE, WholeResponse, with_cache_headers, write_answer
from service.platform.time_slices import TimeSlice, run_sliced


def _decode_at_once(decoder: Callable[[bytes, Any], Sliced[Any]], raw: bytes, content: Format) -> Any:
    return run_to_end(decoder(raw, content))


class Endpoint:
    """An operation as an ASGI application.

    Shape: `services` are the objects that functions of operations need, by type; `auth` is None if every request is
    admitted.
    Unit: `max_body_bytes` bounds every body.
    """

    def __init__(
        self, operation: Operation, services: Mapping[Any, object], max_body_bytes: int, auth: Auth | None
    ) -> None:
        self.operation = operation
        self._answer_with: Callable[..., Any] = operation.bind(services)
        self._is_plain = operation.is_plain
        self._needs_key = operation.bearer == "none"
        self._is_async = iscoroutinefunction(operation.fn)
        self._is_sliced = operation.is_sliced
        self._decode_in_steps = decoder = operation.decoder
        whole = decoder_of(operation.body, optional_body=operation.optional_body)
        self._decode: BodyDecoder = partial(_decode_at_once, decoder) if decoder else whole
        self._take = take_over_http(operation)
        written = operation.text_form.media if operation.text_form else ""
        self._negotiate = partial(negotiate, taken=operation.text_body, written=written)
        self._headers = PRIVATE if operation.private else ()
        self._limit = min(max_body_bytes, operation.max_body_bytes or max_body_bytes)
        self._light_bytes = min(self._limit, LIGHT_BYTES)
        self._auth = auth if operation.guarded else None

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        context, params = context_of(scope), cast("Mapping[str, Any]", scope)
        context.path_params, context.query = params.get("path_params", {}), scope["query_string"]
        try:
            response = await self._respond(context, receive)
        except ClientLeft:
            return
        except Exception as exc:  # noqa: BLE001 – the caller gets an answer in any case, and the log the exception
            response = answer_exception(exc, context, self._headers)
        await response(scope, receive, send)

    def taking(self, decode: BodyDecoder, take: Take) -> "Endpoint":
        """Return the endpoint for requests with parameters in the body, too."""
        other = copy(self)
        other._decode, other._decode_in_steps, other._take = decode, None, take  # noqa: SLF001 – a copy of this endpoint
        return other

    async def call(self, context: RequestContext, receive: Receive, body: bytes) -> WholeResponse:
        """Answer a request in JSON whose body is complete.

        Errors: ClientLeft.
        """
        try:
            await self._check_caller(context)
            context.body_bytes = require_size(len(body), self._limit)
            return await self._answer(context, receive, body, "json", "json")
        except ClientLeft:
            raise
        except Exception as exc:  # noqa: BLE001 – as in __call__
            return answer_exception(exc, context, self._headers)

    def answer(self, context: RequestContext, body: bytes) -> WholeResponse | None:
        """Answer a complete request to a plain operation. Return None, with nothing done, if it must wait."""
        if len(body) > self._light_bytes or not names_host(context):
            return None
        context.route = self.operation.path
        try:
            if self._auth is not None and not self._auth.check_at_once(context, needs_key=self._needs_key):
                return None
            content, wanted = self._negotiate(context.method, context.fields)
            context.body_bytes = len(body)
            require_type(context, body)
            return self._answer_plain(context, drop_mark(body), content, wanted)
        except Exception as exc:  # noqa: BLE001 – as in __call__: the caller gets an answer in any case
            return answer_exception(exc, context, self._headers)

    async def _check_caller(self, context: RequestContext) -> None:
        context.route = self.operation.path
        if self._auth is not None:
            await self._auth.check(context, needs_key=self._needs_key)

    async def _respond(self, context: RequestContext, receive: Receive) -> ASGIApp:
        await self._check_caller(context)
        if self.operation.is_stream:
            refuse_body(context)
            stream: ASGIApp = await self._ask(context, "json")
            return stream
        content, wanted = self._negotiate(context.method, context.fields)
        raw = await read_body(context, receive, self._limit)
        return await self._answer(context, receive, raw, content, wanted)

    async def _answer(
        self, context: RequestContext, receive: Receive, raw: bytes, content: Format, wanted: Format
    ) -> WholeResponse:
        """Answer an admitted request whose body is complete."""
        operation, raw = self.operation, drop_mark(raw)
        if len(raw) > LIGHT_BYTES:
            answer = await self._answer_heavy(context, receive, raw, content, wanted)
        elif self._is_plain:
            return self._answer_plain(context, raw, content, wanted)
        else:
            context.question = self._decode(raw, content)
            if self._auth is not None:
                await self._auth.consume(context, operation.upfront_cost, context.question)
            answer = await self._answer_light(context, receive, wanted)
        if self._auth is not None:
            await self._auth.consume(context, operation.actual_cost, answer)
        return self._write(context, answer, wanted)

    def _answer_plain(self, context: RequestContext, body: bytes, content: Format, wanted: Format) -> WholeResponse:
        """Answer an admitted request to a plain operation with a light body."""
        context.question = self._decode(body, content)
        answer = self._answer_with(context.question)
        return self._write(context, run_to_end(answer) if self._is_sliced else answer, wanted)

    def _write(self, context: RequestContext, answer: object, wanted: Format) -> WholeResponse:
        context.answer, operation = answer, self.operation
        response = write_answer(answer, operation.status_code, wanted, self._headers, operation.text_form)
        return with_cache_headers(response, context) if operation.public and context.method != "POST" else response

    async def _answer_heavy(
        self, context: RequestContext, receive: Receive, raw: bytes, content: Format, wanted: Format
    ) -> object:
        """Answer a request with a body that is not light, in turn with others."""
        operation = self.operation
        with hold_body(context, len(raw)):
            async with TimeSlice(caller_of(context)) as time_slice:
                if self._decode_in_steps is None:
                    context.question = self._decode(raw, content)
                else:
                    context.question = await time_slice.run(self._decode_in_steps(raw, content))
            if self._auth is not None:
                await self._auth.consume(context, operation.upfront_cost, context.question)
            answer = self._ask(context, wanted)
            return await self._work(context, receive, answer) if self._is_sliced or self._is_async else answer

    async def _answer_light(self, context: RequestContext, receive: Receive, wanted: Format) -> object:
        """Answer a request with a light body: at once or, if that may take long, in turn with others."""
        is_long_running = self.operation.is_long_running
        if is_long_running is not None and is_long_running(context.question):
            with hold_body(context, context.body_bytes):
                return await self._work(context, receive, self._ask(context, wanted))
        answer = self._ask(context, wanted)
        if self._is_sliced:
            return run_to_end(answer)
        if not self._is_async:
            return answer
        if is_long_running is not None:  # short work: no need to watch for a disconnect
            return await answer
        return await self._work(context, receive, answer)

    async def _work(self, context: RequestContext, receive: Receive, work: Any) -> object:
        """Do work, a generator's in time slices; stop when the client disconnects, unless it must finish."""
        if self._is_sliced:
            work = run_sliced(caller_of(context), work)
        ends_early = self._is_sliced or self.operation.cancel_on_disconnect
        return await (while_connected(receive, work) if ends_early else work)

    def _ask(self, context: RequestContext, wanted: Format) -> Any:
        """Call the function with its arguments; it returns its answer or, if asynchronous, a coroutine."""
        return self._answer_with(*self._take(context, wanted))
