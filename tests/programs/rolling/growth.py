"""A version with a ninth ruleset, beside this version and before the clients of the last release."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from tests.api.openapi.reading import LAST_RELEASE
from tests.programs.chaos.histories.feeds import APP_KEY
from tests.programs.rolling.versions import serve_both
from tests.support.games.client import Call, Client
from tests.support.games.player import Kind, Player
from tests.support.http.server import serving
from tests.support.last_release import ROOT, Build
from tests.support.ninth_ruleset import FIELD, NINTH

GROWN: Final = ((1,), (0, 1), (0,), (), (1,))
"""The processes that run the new version, one row for each mixture: an upgrade, a rollback, an upgrade."""
PLAYS: Final = 5
"""Cards played by each mixture of the versions."""
_SAID: Final = "http://127.0.0.1:8000"
"""The address of the service in the READMEs of clients."""
_LIST: Final = """
with Client("http://127.0.0.1:8000") as client:
    assert len(client.list_rulesets().rulesets) == 8
"""
_NODE: Final = ROOT / "clients" / "node_modules" / ".bin"


async def play_new_game(old: Build, new: Build, folder: Path) -> str:
    """Play a game by the new ruleset while two processes replace each other; return the findings.

    The old version neither shows nor changes the game; the new version continues it.
    """
    refused = 0
    with serve_both((old, new), folder, Random(1)) as versions:
        player = Player(Client([versions.ports[1]]), Kind(NINTH, 4, 2), Random(1), APP_KEY)
        await player.open()
        await player.deal()
        for at, grown in enumerate(GROWN):
            if at:
                await versions.kill()
            for slot in {0, 1} - {*grown}:
                with Client([versions.ports[slot]]) as client:
                    answer = await client.ask(Call("GET", player.path))
                assert (answer.status, answer.json["code"], answer.headers["retry-after"]) == (503, "store_down", "1")
                refused += 1
            player.client.leave()
            player.client = Client([versions.ports[slot] for slot in grown])
            for _ in range(PLAYS if grown else 0):
                await player.play()
        await player.finish()
        await player.check_record()
        player.client.leave()
    return f"a game of {len(player.acknowledged)} cards; {refused} looks at it by the old version were refused"


def play_with_last_client(last: Build, new: Build) -> str:
    """Play the first game of its README with the client of the last release for Python; return its last line."""
    tree = next(last.tree / path for path in ("clients", "openapi/clients") if (last.tree / path / "python").exists())
    module = f"{tree.relative_to(last.tree)}/python/generate".replace("/", ".")
    _run(last.tree, {}, sys.executable, "-m", module)
    found = re.search(
        r"^```python\n(.*?)^```", (tree / "python/README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found is not None
    with serving(None, new.tree) as served:
        game = (found[1] + _LIST).replace(_SAID, f"http://127.0.0.1:{served.port}")
        said = _run(last.tree, {"PYTHONPATH": str(tree / "python/src")}, sys.executable, "-c", game)
    assert "Winners: " in said, said
    return said.splitlines()[-1]


def compile_types(new: Build, folder: Path) -> str:
    """Compile answers of a version by the types for TypeScript that its last release had; return what was done."""
    if not (_NODE / "tsc").exists():
        return "left out, for want of clients/node_modules: the types for TypeScript of the last release"
    folder.mkdir()
    _run(folder, {}, str(_NODE / "openapi-typescript"), str(LAST_RELEASE), "-o", "types.ts")
    with serving(None, new.tree) as served, httpx.Client(base_url=f"http://127.0.0.1:{served.port}") as client:
        answers = {rules: _deal(client, rules) for rules in ("trebor", "denexa", NINTH)}
        listed = ("RulesetList", client.get("/v1/rulesets").text)
    compiled = {rules: _compile(folder, listed, *answers[rules]) for rules in answers}
    assert [rules for rules, said in compiled.items() if not said] == ["trebor", "denexa"], compiled
    assert re.search(f"{FIELD}.* does not exist", compiled[NINTH]), compiled
    return (
        "the types for TypeScript of the last release fit the list of rulesets and other games, and refuse the new one"
    )


def _deal(client: httpx.Client, rules: str) -> tuple[tuple[str, str], ...]:
    """Return a ruleset, and a state of its first deal, each with the name of its type."""
    body: dict[str, Any] = {"rules": rules, "players": 4, "dealer": 1, "seed": "one"}
    state = client.post("/v1/deals", json=body).json()["position"]["state"]
    return ("Ruleset", client.get(f"/v1/rulesets/{rules}").text), ("DealState", json.dumps(state))


def _compile(folder: Path, *answers: tuple[str, str]) -> str:
    """Compile answers as values of types; return what the compiler says."""
    values = [f'const a{at}: components["schemas"]["{kind}"] = {raw};' for at, (kind, raw) in enumerate(answers)]
    source = "\n".join(['import type { components } from "./types";', *values, "export {};"])
    (folder / "answers.ts").write_text(source, encoding="utf-8")
    command = [str(_NODE / "tsc"), "--noEmit", "--strict", "--skipLibCheck", "answers.ts"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def _run(folder: Path, settings: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout
