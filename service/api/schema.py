"""JSON Schema of the bodies, from the types that decode them, and every fault that it finds in one."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import jsonschema_rs
import msgspec

from service.api.wire import Error, pointer

REF_TEMPLATE: Final = "#/components/schemas/{name}"
FAULTS_AT_MOST: Final = 100
"""A problem document lists so many faults at most, so that a hostile body cannot make a huge answer."""


@cache
def _validator(body: Any) -> jsonschema_rs.Validator:
    (schema,), components = msgspec.json.schema_components([body], ref_template=REF_TEMPLATE)
    return jsonschema_rs.Draft202012Validator({**schema, "components": {"schemas": components}})


def schema_faults(body: Any, whole: object) -> tuple[Error, ...]:
    """List what the schema of a type finds wrong with a decoded body.

    Shape: `whole` is made of what JSON is made of.
    Errors: ValueError for values that JSON does not have.
    """
    found = _innermost(_validator(body).iter_errors(whole))
    return tuple(islice((_fault(error) for error in found), FAULTS_AT_MOST))


def _innermost(errors: Iterable[jsonschema_rs.ValidationError]) -> Iterator[jsonschema_rs.ValidationError]:
    """Where no branch of a union fits, tell what is wrong in the branch that fits best: the one that gets deepest."""
    for error in errors:
        branches = getattr(error.kind, "context", None)
        if not branches:
            yield error
            continue
        depths = [max((len(inner.instance_path) for inner in branch), default=0) for branch in branches]
        deepest = max(depths)
        if deepest > len(error.instance_path):
            yield from _innermost(branches[depths.index(deepest)])
        else:
            yield error


def _fault(error: jsonschema_rs.ValidationError) -> Error:
    text = error.message
    return Error(pointer(*error.instance_path), "invalid_body", text if len(text) <= 200 else text[:199] + "…")
