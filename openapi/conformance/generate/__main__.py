"""Write the cases that are made from the service anew: `make cases`."""

import json

from openapi.conformance.generate.cases import Case, make_cases
from openapi.conformance.runner import CASES


def format_cases(cases: list[Case]) -> str:
    """Write cases, one on each line."""
    lines = (json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    return "".join(line + "\n" for line in lines)


def write_all() -> None:
    """Write every file that is made."""
    for name, cases in make_cases().items():
        (CASES / f"{name}.jsonl").write_text(format_cases(cases), encoding="utf-8", newline="\n")
        print(f"{name}: {len(cases)} cases")


if __name__ == "__main__":
    write_all()
