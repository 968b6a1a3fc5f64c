"""The build hook: in a checkout, it generates the modules from the OpenAPI document before packing."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratingHook(BuildHookInterface[Any]):
    """Runs the generator; a source distribution has no generator, but its results."""

    def dependencies(self) -> list[str]:
        """Return the packages that the generator needs."""
        return ["msgspec>=0.20", "ruff>=0.14"] if self._is_checkout() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Write the modules."""
        if self._is_checkout():
            generator = (sys.executable, "-m", "clients.python.generate")
            subprocess.run(generator, cwd=Path(self.root).parents[1], check=True)

    def _is_checkout(self) -> bool:
        return (Path(self.root) / "generate").is_dir()
