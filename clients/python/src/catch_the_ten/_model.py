"""The base of the generated types."""

import msgspec


class Model(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value in a request or an answer; fields that default to None are not sent."""


class Literal:
    """In place of `typing.Literal` at run time: a later version of the service may send values not known yet."""

    def __class_getitem__(cls, _: object) -> type[str]:
        return str
