"""Scripts, run by the Lua that Redis has: their text is the service's own."""

from collections.abc import Callable
from hashlib import sha1
from importlib import import_module
from typing import Any, Final, TypeAlias

from tests.programs.simulation.redis.database import Fault, Refused, Reply, Status

Call: TypeAlias = Callable[[list[bytes]], Reply]
"""Carries out a command of a script, or raises Fault."""

LUA: Final[Any] = import_module("lupa.lua51")  # which has no types
_FIND_LINE: Final = b"""
return function()
  for level = 2, 9 do
    local frame = debug.getinfo(level, 'l')
    if frame and frame.currentline > 0 then return frame.currentline end
  end
end
"""


class Scripts:
    """The scripts that a server knows."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._lua = LUA.LuaRuntime(encoding=None, unpack_returned_tuples=True, register_eval=False)
        names = {b"call": self._execute, b"REDIS_VERSION_NUM": 0x70000 if version >= 7 else None}
        self._lua.globals()[b"redis"] = self._lua.table_from(names)
        self._find_line = self._lua.execute(_FIND_LINE)
        self._known: dict[bytes, Any] = {}
        self._name = b""
        self._call: Call

    def knows(self, name: bytes) -> bool:
        """Return whether a script was run here before."""
        return name in self._known

    def add(self, text: bytes) -> bytes:
        """Take a script in, and return its name."""
        name = sha1(text, usedforsecurity=False).hexdigest().encode()
        if name not in self._known:
            self._known[name] = self._lua.execute(b"return function() " + text + b"\nend")
        return name

    def run(self, name: bytes, keys: list[bytes], arguments: list[bytes], call: Call) -> Reply:
        """Run a script.

        Errors: Fault, in the words of this version.
        """
        self._name, self._call = name, call
        names = self._lua.globals()
        names[b"KEYS"], names[b"ARGV"] = self._lua.table_from(keys), self._lua.table_from(arguments)
        return self._to_reply(self._known[name]())

    def _execute(self, *words: Any) -> Any:
        try:
            reply = self._call([word if isinstance(word, bytes) else _format_number(word) for word in words])
        except Fault as fault:
            raise Fault(self._explain(fault, self._find_line())) from None
        return self._to_lua(reply)

    def _explain(self, fault: Fault, line: int) -> str:
        """Say where a script has failed, as this version does."""
        name, text = self._name.decode(), fault.text.decode()
        if self._version >= 7:
            return f"{text} script: {name}, on @user_script:{line}."
        where = f"@user_script: {line}: -" if isinstance(fault, Refused) else ""
        return f"ERR Error running script (call to f_{name}): @user_script:{line}: {where}{text}"

    def _to_lua(self, reply: Reply) -> Any:
        if reply is None:
            return False
        if isinstance(reply, Status):
            return self._lua.table_from({b"ok": bytes(reply)})
        if isinstance(reply, list):
            return self._lua.table_from([self._to_lua(each) for each in reply])
        return reply

    def _to_reply(self, value: Any) -> Reply:
        if value is None or value is False:
            return None
        if value is True:
            return 1
        if isinstance(value, bytes):
            return value
        if isinstance(value, int | float):
            return int(value)
        if value[b"ok"] is not None:
            return Status(value[b"ok"])
        found: list[Reply] = []
        while (each := value[len(found) + 1]) is not None:
            found.append(self._to_reply(each))
        return found


def _format_number(number: float) -> bytes:
    return b"%.17g" % number
