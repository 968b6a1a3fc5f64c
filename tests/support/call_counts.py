"""Counts of the calls that Python makes while it answers: the same on every machine, as seconds are not."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import BuiltinFunctionType, FrameType
from typing import Any

import msgspec

_DECODERS = (msgspec.json.Decoder, msgspec.msgpack.Decoder)
_ENCODERS = (msgspec.json.Encoder, msgspec.msgpack.Encoder)
_OF_MODULES = (
    msgspec.json.decode,
    msgspec.msgpack.decode,
    msgspec.json.encode,
    msgspec.msgpack.encode,
    msgspec.convert,
    msgspec.to_builtins,
)


class CallCount:
    """A count of all calls of Python functions, quick enough for thousands of requests."""

    calls = 0

    @contextmanager
    def counted(self) -> Generator[None]:
        """Count the calls from zero."""
        before = sys.getprofile()
        self.calls = 0
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _count(self, frame: object, event: str, argument: object) -> None:
        self.calls += event == "call"


class Calls:
    """Counts of each way from bytes to values or back."""

    def __init__(self) -> None:
        self.decodes = 0
        self.encodes = 0
        self.others = list[str]()

    @contextmanager
    def counted(self) -> Generator[None]:
        """Count the calls; what counts already, as coverage may, goes on afterwards."""
        before = sys.getprofile()
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _count(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and isinstance(called, BuiltinFunctionType):
            self._count_builtin(called)

    def _count_builtin(self, called: BuiltinFunctionType) -> None:
        if called in _OF_MODULES:
            self.others.append(called.__name__)
        elif called.__name__.startswith("decode"):
            self.decodes += isinstance(called.__self__, _DECODERS)
        elif called.__name__.startswith("encode"):
            self.encodes += isinstance(called.__self__, _ENCODERS)
