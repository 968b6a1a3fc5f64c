"""The build hook: a wheel holds the documents that its pages show and, with COMPILE=1, its slowest modules compiled.

They are compiled by mypyc, and stand beside their sources.
"""

import os
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_COMPILED = os.environ.get("COMPILE") == "1"


class CompilingHook(BuildHookInterface[Any]):
    """Adds the documents and compiles the modules that pyproject.toml names."""

    _folder: Path | None = None

    def dependencies(self) -> list[str]:
        """Return what a build needs beside the build backend: the compiler, and what it reads types from."""
        return [*self.config["requires"], *self.metadata.core.dependencies] if _COMPILED else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the documents. Compile, and add the libraries to a wheel that then is for one Python on one platform."""
        if version == "editable":
            return
        documents = {path: f"service/api/pages/documents/{path}" for path in self.config["documents"]}
        build_data["force_include"] |= documents
        if not _COMPILED:
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
