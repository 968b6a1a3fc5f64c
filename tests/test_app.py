"""The application, put together."""

import sys

import pytest

from service.app import create_app
from service.platform.settings import Settings


@pytest.mark.parametrize("types", ["pydantic", "attrs"])
def test_no_plugin_for_types_that_are_not_used_is_imported(types: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, f"litestar.plugins.{types}", None)
    create_app(Settings())
