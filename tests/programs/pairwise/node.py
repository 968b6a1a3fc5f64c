"""The clients that run in Node: the package for TypeScript, and the page /table in Chromium."""

import subprocess
from collections.abc import Mapping
from typing import Final

import msgspec

from tests.programs.agreement.asking import Json
from tests.programs.pairwise.deployment import Deployment
from tests.programs.pairwise.playing import Opened, Played
from tests.support.processes import ROOT

CLIENTS: Final = ROOT / "clients"
LONGEST: Final = 300
"""Seconds that a game may take."""
NODE: Final = ("node", "--import", "tsx", "--conditions=catch-the-ten:source")


def play_by_typescript(deployment: Deployment, headers: Mapping[str, str], opening: Json) -> Played:
    """Play a game by the package for TypeScript: each bearer follows it, and plays as soon as it sees its turn."""
    task = {
        "url": deployment.url,
        "key": deployment.keys[0],
        "headers": headers,
        "opening": opening,
        "resigns": deployment.row.ending == "resigned",
    }
    return _run("typescript/test/pairwise.ts", task)


def play_at_table(deployment: Deployment, headers: Mapping[str, str], opened: Opened, opening: Json) -> Played:
    """Play a game by clicks at the page /table, which has a window for each person, and one for who looks on."""
    row = deployment.row
    refused = [
        422,
        *([401] if row.keys != "no keys" else []),
        *([503] if row.following == "polling" else []),
        *([429] if row.rate == "tight quota" else []),
    ]
    task = {
        "url": deployment.url,
        "headers": headers,
        "opening": opening,
        "opened": opened,
        "resigns": row.ending == "resigned",
        "refused": refused,
    }
    return _run("table/test/pairwise.ts", task)


def _run(program: str, task: Json) -> Played:
    done = subprocess.run(
        [*NODE, program],
        input=msgspec.json.encode(task),
        capture_output=True,
        cwd=CLIENTS,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Played)
