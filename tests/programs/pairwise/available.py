"""The levels that this machine cannot offer, each with the reason."""

import shutil
import subprocess
from collections.abc import Iterator

from tests.programs.pairwise.factors import Level
from tests.programs.pairwise.node import CLIENTS, NODE

_HAS_BROWSER = (
    'import { withoutBrowser } from "./typescript/test/support/browser.ts"; process.exit(withoutBrowser ? 1 : 0);'
)


def list_missing() -> Iterator[tuple[Level, str]]:
    """List the levels to be left out."""
    if shutil.which("curl") is None:
        yield ("client", "curl"), "there is no curl"
    if shutil.which("node") is None or not (CLIENTS / "node_modules").exists():
        why = "there is no Node, or `make openapi` has not got the packages yet"
        yield ("client", "TypeScript"), why
        yield ("client", "table page"), why
    elif subprocess.run([*NODE, "--input-type=module", "--eval", _HAS_BROWSER], cwd=CLIENTS, check=False).returncode:
        yield ("client", "table page"), "there is no Chromium"
