"""A parameter is declared once: the requests of operations have a field for each."""

import pytest

from service.api.mcp.tools import list_arguments
from service.api.operation_list import OPERATIONS
from service.http.operation import Operation
from service.http.parameters import NOTATION


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda op: op.operation_id)
def test_the_request_of_an_operation_has_a_field_for_every_parameter(operation: Operation) -> None:
    taken = {one.field for one in operation.parameters if one.field and one is not operation.text}
    kind = operation.request_type
    assert taken <= set(() if kind is None else kind.__struct_fields__)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda op: op.operation_id)
def test_a_parameter_of_a_query_is_named_as_its_field(operation: Operation) -> None:
    assert all(one.name == one.field for one in operation.parameters if one.place == "query")


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda op: op.operation_id)
def test_every_parameter_that_must_be_there_is_an_argument_of_the_tool(operation: Operation) -> None:
    needed = {one for one, is_needed in operation.parameters.items() if is_needed}
    assert needed - {*list_arguments(operation)} <= {NOTATION}
