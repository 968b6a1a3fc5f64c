"""Whole games on which the service and the second engine must agree; `python -m tests.agreement 2000` plays more."""

import pytest

pytest.register_assert_rewrite("tests.agreement.games", "tests.agreement.hidden_hands", "tests.agreement.walks")
