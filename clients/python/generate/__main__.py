"""Write the generated modules of the package: python -m clients.python.generate.

- `models.py`: a type for each schema of the OpenAPI document;
- `problems.py`: an exception for each code of a problem;
- `_async/calls.py`: a call for each operation that is not on one live game;
- `_sync/`: what `_async/` has, without async.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from clients.python.generate.calls import write_calls
from clients.python.generate.problems import write_problems
from clients.python.generate.types import write_types

PACKAGE: Final = Path(__file__).parents[1] / "src" / "catch_the_ten"
_WITHOUT_ASYNC: Final = {
    r"_async\b": "_sync",
    r"\bAsync([A-Z])": r"\1",
    r"\b(async|await) ": "",
    r"\b__a(enter|exit)__\b": r"__\1__",
    r"\baclos(e|ing)\b": r"clos\1",
    r"\ba(next|read|messages_of)\b": r"\1",
    r"\banyio\b": "time",
    r"\basynchronous": "synchronous",
}


def write_modules() -> dict[Path, str]:
    """Return the text of every generated module by its path."""
    calls = PACKAGE / "_async" / "calls.py"
    written = {
        PACKAGE / "models.py": write_types(),
        PACKAGE / "problems.py": write_problems(),
        calls: _lay_out(calls, write_calls()),
    }
    for path in sorted({calls, *calls.parent.glob("*.py")}):
        written[PACKAGE / "_sync" / path.name] = _drop_async(written.get(path) or path.read_text(encoding="utf-8"))
    return {path: _lay_out(path, text) for path, text in written.items()}


def _drop_async(text: str) -> str:
    for pattern, plain in _WITHOUT_ASYNC.items():
        text = re.sub(pattern, plain, text)
    return text


def _lay_out(path: Path, text: str) -> str:
    """Sort the imports, leave out those that are not needed, and lay the text out."""
    name = str(PACKAGE / path.name)  # where ruff sees the package also before its folders are made
    for words in (("check", "--quiet", "--fix-only", "--select=I,F401,SIM117,UP"), ("format", "--quiet")):
        ruff = (sys.executable, "-m", "ruff", *words, "--stdin-filename", name, "-")
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    for path, text in write_modules().items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # others may be reading it
            path.write_text(text, encoding="utf-8")
