"""Models of pydantic, made from the types of the service: the same fields, the same bounds, nothing by hand.

pydantic is only in the environment of the comparison, hence Any, in this file and beside FastAPI alone.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

from msgspec import NODEFAULT, Struct, inspect

Model: TypeAlias = Any
"""A class of pydantic, or a type that it reads."""

_UNION: Final[Any] = Union
"""Of types that are known only when it runs."""
_LIST: Final[Any] = list
_BOUNDS: Final = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern")
_PLAIN: Final[Mapping[type[inspect.Type], object]] = {
    inspect.IntType: int,
    inspect.StrType: str,
    inspect.BoolType: bool,
    inspect.NoneType: None,
}


class Models:
    """The models of types, each made once; `strict` ones change no type and know no other fields."""

    def __init__(self, *, strict: bool) -> None:
        self._pydantic: Any = import_module("pydantic")
        unknown, others = ("forbid", {"strict": True}) if strict else ("ignore", {"from_attributes": True})
        self._config = self._pydantic.ConfigDict(extra=unknown, **others)
        self._made: dict[type, Model] = {}
        self._ways: dict[type[inspect.Type], Callable[[Any], Model]] = {
            inspect.StructType: self._model,
            inspect.Metadata: lambda told: self._type(told.type),
            inspect.UnionType: self._union,
            inspect.LiteralType: lambda told: Literal[told.values],
            inspect.VarTupleType: lambda told: self._bounded(_LIST[self._type(told.item_type)], told),
        }

    def of(self, kind: type[Struct]) -> Model:
        """Make the model of a type of the service."""
        return self._type(inspect.type_info(kind))

    def _type(self, told: inspect.Type) -> Model:
        way = self._ways.get(type(told))
        return self._bounded(_PLAIN[type(told)], told) if way is None else way(told)

    def _bounded(self, kind: Model, told: inspect.Type) -> Model:
        bounds = {name: value for name in _BOUNDS if (value := getattr(told, name, None)) is not None}
        if "pattern" in bounds:
            bounds["pattern"] = str(bounds["pattern"]).replace(r"\Z", r"\z")  # the end, as pydantic's engine has it
        return Annotated[kind, self._pydantic.Field(**bounds)] if bounds else kind

    def _union(self, told: inspect.UnionType) -> Model:
        tags = [each.tag if isinstance(each, inspect.StructType) else None for each in told.types]
        kinds = [self._type(each) for each in told.types]
        if None in tags:
            return _UNION[tuple(kinds)]
        tagged = [Annotated[kind, self._pydantic.Tag(tag)] for kind, tag in zip(kinds, tags, strict=True)]
        return Annotated[_UNION[tuple(tagged)], self._pydantic.Discriminator(_tag)]

    def _model(self, told: inspect.StructType) -> Model:
        if told.cls not in self._made:
            fields = {field.encode_name: self._field(field) for field in told.fields}
            if told.tag_field is not None:
                fields[told.tag_field] = (Literal[told.tag], told.tag)
            self._made[told.cls] = self._pydantic.create_model(told.cls.__name__, __config__=self._config, **fields)
        return self._made[told.cls]

    def _field(self, field: inspect.Field) -> tuple[Model, Model]:
        kind = self._type(field.type)
        if field.required:
            return kind, ...
        if field.default is NODEFAULT or isinstance(field.default, Struct):
            return kind, self._pydantic.Field(default_factory=kind)
        return kind, [] if field.default == () else field.default


def _tag(value: Any) -> str:
    """Return which of the events it is, as the service has it or as a model."""
    return str(value.__struct_config__.tag if isinstance(value, Struct) else value.type)
