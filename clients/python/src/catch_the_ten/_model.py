"""The base of the generated types."""

import msgspec


class Model(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value that is sent or received; what is None by default is not sent."""


class Literal:
    """In place of `typing.Literal` at run time: a later version of the service may send values not known yet."""

    def __class_getitem__(cls, _: object) -> type[str]:
        return str
