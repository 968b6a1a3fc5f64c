"""The last release beside this version, and this version beside one that has grown: python -m tests.programs.rolling.

Each pair is an upgrade and a rollback: tests/programs/rolling/versions.py. The grown version has a ninth ruleset with a
field of its own: docs/decisions/0039-what-may-grow.md.

The exit code is 0 if nothing was lost or refused, 1 if something was, and 2 if the last release cannot be fetched.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from tests.programs.rolling.growth import compile_types, play_new_game, play_with_last_client
from tests.programs.rolling.versions import HERE, PLAN, roll
from tests.support.last_release import Build, NotFetched, fetch_last_release
from tests.support.ninth_ruleset import plant_ninth_ruleset

SHORT: Final = PLAN._replace(plays=300)
WITHOUT_FEED: Final = {"1.0.0"}
"""Releases that have no feed of finished games."""
KNOWN: Final = {"1.0.0": ("two next games", "needs the host's token")}
"""Known findings of a release beside a later one: see deploy/UPGRADES.md, "From 1.0.0"."""


def main() -> int:
    """Run both pairs, print what happened, and return the exit code."""
    began = monotonic()
    with TemporaryDirectory(prefix="rolling-") as name:
        folder = Path(name)
        try:
            last = fetch_last_release(folder / "last")
        except NotFetched as exc:
            print(exc, file=sys.stderr)
            return 2
        print(f"{last.version} is ready after {monotonic() - began:.0f} s", flush=True)
        wrong = _roll(last, HERE, folder / "upgrade")
        grown = Build("grown", plant_ninth_ruleset(folder / "ninth"), sys.executable)
        wrong += _roll(HERE, grown, folder / "growth")
        print(asyncio.run(play_new_game(HERE, grown, folder / "new")), flush=True)
        print(f"the client of {last.version}: {play_with_last_client(last, grown)}", flush=True)
        print(compile_types(grown, folder / "types"))
    print(f"in {monotonic() - began:.0f} s")
    return int(bool(wrong))


def _roll(old: Build, new: Build, folder: Path) -> list[str]:
    """Replace two versions by each other, and return the findings, except known ones of the older version."""
    plan = SHORT if old is HERE else PLAN._replace(has_feed=old.version not in WITHOUT_FEED)
    outcome = roll((old, new), folder, plan)
    known = [fault for fault in outcome.findings if any(words in fault for words in KNOWN.get(old.version, ()))]
    wrong = [fault for fault in outcome.findings if fault not in known]
    print(f"{old.version} beside {new.version}: {outcome}; {len(known)} known", flush=True)
    print(*(known + wrong)[:20], sep="\n", end="\n" if outcome.findings else "", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
