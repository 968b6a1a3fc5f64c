"""The fast lane: serves the operations that are called most, without the framework's own work around a handler.

It is compiled from the same declarations as the routes of the framework, to which it passes on every other path and
method. Both lanes answer a request alike, which `tests/http/test_lanes.py` ensures.
"""

import re
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from inspect import iscoroutinefunction, signature
from typing import Any, Final, TypeAlias, get_type_hints

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.computing.time_slices import TimeSlice, take_slices
from service.http.body import LIGHT_BYTES, BodyDecoder, ClientLeft, HeldBody, decoder_of, read_body
from service.http.caller import caller_of
from service.http.context import context_of, stay
from service.http.negotiation import Format, negotiate
from service.http.paths import normalize_path
from service.http.problems import answer_failure, answer_refusal
from service.http.response import PRIVATE, TextForm, let_cache, write_answer
from service.wire.refusal import Refusal

Guard: TypeAlias = Callable[[HTTPScope], Awaitable[None]]
"""Admits a request, or raises Refusal."""
Provider: TypeAlias = Callable[[Scope], object]
"""Makes one of the arguments of a handler from a request."""
_TYPED: Final = re.compile(r":\w+}")
_GAME: Final = re.compile(r"/v1/games/([A-Za-z0-9_-]{22})(?:/seats/([0-7]))?(/[a-z]+)?").fullmatch


def template_of(handler: HTTPRouteHandler) -> str:
    """Return the path of an operation as in the document and the metrics: without the types of parameters."""
    (path,) = handler.paths
    return _TYPED.sub("}", path)


def decoder_for(handler: HTTPRouteHandler) -> BodyDecoder | None:
    """Return the decoder of the body that an operation takes; None if it takes none."""
    made: BodyDecoder | None = handler.opt.get("decoder")
    body = get_type_hints(handler.fn).get("data")
    return made or (None if body is None else decoder_of(body, bare=handler.opt.get("bare", False)))


def limit_of(handler: HTTPRouteHandler, at_most: int) -> int:
    """Return how many bytes the body of an operation may have, where no body may have more than `at_most`."""
    own: int = handler.opt.get("body_bytes", at_most)
    return min(at_most, own)


class Endpoint:
    """An operation as an ASGI application.

    Shape: `providers` make the arguments of the handler, by name; `guard` is None if every request is admitted.
    Unit: `limit`, the size of a body, in bytes.
    """

    def __init__(
        self, handler: HTTPRouteHandler, providers: Mapping[str, Provider], limit: int, guard: Guard | None
    ) -> None:
        self.path = template_of(handler)
        self.methods = handler.http_methods
        names = signature(handler.fn).parameters
        self._handle = handler.fn
        self._is_async = iscoroutinefunction(handler.fn)
        self._decode = decoder_for(handler)
        self._provided = {name: providers[name] for name in names if name != "data"}
        self._text: str = handler.opt.get("text", "")
        self._text_form: TextForm | None = handler.opt.get("text_form")
        self._written = self._text_form.media if self._text_form else ""
        self._negotiated: bool = handler.opt["negotiated"]
        self._status = handler.status_code
        self._headers = PRIVATE if handler.opt.get("private") else ()
        self._public: bool = handler.opt.get("public", False)
        self._pieces: Callable[[Any], Generator[None, None, object]] | None = handler.opt.get("pieces")
        self._leaving: bool = handler.opt.get("leaving", False)
        self._limit = limit_of(handler, limit)
        self._guard = guard

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            response = await self._answer(scope, receive)
        except Refusal as refusal:
            response = answer_refusal(refusal, scope, self._headers)
        except ClientLeft:
            return
        except Exception as exc:  # noqa: BLE001 – the caller gets an answer, whatever went wrong, and the log the exception
            response = answer_failure(exc, scope)
        finally:
            if self._leaving:  # whatever became of it: this leads to the connection, and that to the context
                context_of(scope).receive = stay
        await response(scope, receive, send)

    async def _answer(self, scope: HTTPScope, receive: Receive) -> ASGIApp:
        context = context_of(scope)
        context.route = self.path
        if self._guard is not None:
            await self._guard(scope)
        if not self._negotiated:
            stream: ASGIApp = await self._handle(**{name: provide(scope) for name, provide in self._provided.items()})
            return stream
        content, wanted = negotiate(scope, self._text, self._written)
        raw = await read_body(scope, context, receive, self._limit)
        if self._leaving:
            context.receive = receive
        if len(raw) > LIGHT_BYTES:
            answer = await self._answer_in_turn(scope, raw, content)
        else:
            if self._decode is not None:
                context.question = self._decode(raw, content)
            answer = self._ask(scope) if self._provided else self._handle(context.question)
            if self._is_async:
                answer = await answer
        context.answer = answer
        response = write_answer(answer, self._status, wanted, self._headers, self._text_form)
        return let_cache(response, scope) if self._public else response

    async def _answer_in_turn(self, scope: HTTPScope, raw: bytes, content: Format) -> object:
        """Answer a request whose body is not light, in turn with others."""
        context = context_of(scope)
        with HeldBody() as held:
            held.hold(len(raw))
            if self._decode is not None:
                async with TimeSlice(caller_of(scope)):
                    context.question = self._decode(raw, content)
            if self._pieces is not None:
                async with take_slices(caller_of(scope)) as time_slice:
                    return await time_slice.run(self._pieces(context.question))
            answer = self._ask(scope) if self._provided else self._handle(context.question)
            return await answer if self._is_async else answer

    def _ask(self, scope: HTTPScope) -> Any:
        """Call the handler with all that it takes; it returns its answer or, if it is asynchronous, a coroutine."""
        arguments = {name: provide(scope) for name, provide in self._provided.items()}
        if self._decode is not None:
            arguments["data"] = context_of(scope).question
        return self._handle(**arguments)


class FastLane:
    """An ASGI application that passes a request on to its endpoint, or else to the framework."""

    def __init__(self, endpoints: Iterable[Endpoint], framework: ASGIApp) -> None:
        self._endpoints: dict[str, dict[str, Endpoint]] = {}
        for endpoint in endpoints:
            by_method = self._endpoints.setdefault(endpoint.path, {})
            by_method |= dict.fromkeys(endpoint.methods, endpoint)
        self._framework = framework

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request. This is no coroutine itself: that would cost every idle stream one more frame."""
        found: Any = scope
        application: Any = self._find(found)
        answered: Awaitable[None] = application(scope, receive, send)
        return answered

    def _find(self, scope: HTTPScope) -> Endpoint | ASGIApp:
        try:
            path = normalize_path(scope)
        except Refusal as refusal:
            return answer_refusal(refusal, scope)
        by_method = self._endpoints.get(path)
        if by_method is None:
            by_method = self._find_below(path, scope)
        return by_method.get(scope["method"], self._framework)

    def _find_below(self, path: str, scope: HTTPScope) -> dict[str, Endpoint]:
        """Return the endpoints, by method, of a path with the id of a game or a notation in it, if there are any."""
        if found := _GAME(path):
            game, seat, what = found.groups("")
            scope["path_params"] = {"game_id": game, "seat": seat} if seat else {"game_id": game}
            return self._endpoints.get("/v1/games/{game_id}" + ("/seats/{seat}" if seat else "") + what, {})
        question, _, notation = path.rpartition("/")
        by_method = self._endpoints.get(question + "/{notation}", {})
        if by_method:
            scope["path_params"] = {"notation": notation}
        return by_method
