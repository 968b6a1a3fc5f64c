"""The build hook: with COMPILE=1, a wheel holds its slowest modules compiled by mypyc, beside their sources."""

import os
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_COMPILED = os.environ.get("COMPILE") == "1"


class CompilingHook(BuildHookInterface[Any]):
    """Compiles the modules that pyproject.toml names."""

    _folder: Path | None = None

    def dependencies(self) -> list[str]:
        """Return what a build needs beside the build backend: the compiler, and what it reads types from."""
        return [*self.config["requires"], *self.metadata.core.dependencies] if _COMPILED else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add what comes of it to the wheel, which then is for one Python on one platform."""
        if not _COMPILED or version == "editable":
            return
        from mypyc.build import mypycify  # noqa: PLC0415 # only a compiled build needs both
        from setuptools import Distribution  # noqa: PLC0415

        self._folder = folder = Path(mkdtemp())
        extensions = mypycify(self.config["modules"], target_dir=str(folder / "c"), group_name="catch_the_ten")
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
        command.ensure_finalized()
        command.run()
        build_data.update(pure_python=False, infer_tag=True)
        libraries = (folder / "lib").rglob("*.so")
        build_data["force_include"] |= {str(path): str(path.relative_to(folder / "lib")) for path in libraries}

    def finalize(self, *_: object) -> None:
        """Remove what the compiler left behind."""
        if self._folder is not None:
            rmtree(self._folder)
