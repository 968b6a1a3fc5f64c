"""Whole games on which the service and the second engine must agree."""

import pytest

pytest.register_assert_rewrite("tests.agreement.games")
