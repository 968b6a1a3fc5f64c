"""Whole games on which the service and the second engine must agree.

`python -m tests.programs.agreement 2000` plays 2,000 of them.
"""

import pytest

for name in ("games", "hidden_hands", "hidden_records", "walks"):
    pytest.register_assert_rewrite(f"tests.programs.agreement.{name}")
