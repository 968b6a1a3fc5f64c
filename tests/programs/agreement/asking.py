"""Ask the questions of the service in bytes, as its HTTP side does, and read the answers as plain JSON."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from tests.game.notation.reader import read_position
from tests.programs.agreement.expected import tidy
from tests.support.questions import QUESTIONS

Json = dict[str, Any]
Ask = Callable[..., Json]
"""Asks a question, by its kind and the fields of its body; what is refused is raised as a Refusal."""

_ENCODE: Final = msgspec.json.Encoder().encode
_PLAIN: Final = msgspec.json.Decoder().decode
_ASKED: Final = {question.kind: (msgspec.json.Decoder(question.body).decode, question.ask) for question in QUESTIONS}


def ask(kind: str, **body: object) -> Json:
    """Ask a question of this kind; what is refused is raised as the Refusal that it is."""
    decode, answer = _ASKED[kind]
    plain: Json = _PLAIN(_ENCODE(answer(decode(_ENCODE(body)))))
    read_notation(plain.get("position", plain))
    return plain


def read_notation(position: Json) -> str | None:
    """Take the notation out of a position, if it has one, which reads back as the state, and return it."""
    line: str | None = position.pop("notation", None)
    assert line is None or tidy(read_position(line)) == position["state"]
    return line
