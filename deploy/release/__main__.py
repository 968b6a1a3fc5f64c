"""Check everything that a release needs, and build it: make release VERSION=1.2.0. Nothing is tagged or pushed.

The exit code is 0 when the version may be released, 1 when a check fails.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence

from deploy.release.checks import find_faults, read_version, write_tagging
from deploy.release.clients import CLIENT, build_package, list_contents, try_client, try_package
from deploy.release.distributions import ROOT, Unfit, build, try_sdist, try_wheel, write_sums


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, test, build and try a release; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m deploy.release", description=__doc__)
    parser.add_argument("version", nargs="?", default=read_version(ROOT), help="as the code says, if left out")
    without_tests = parser.add_mutually_exclusive_group()
    without_tests.add_argument(
        "--dry-run", action="store_true", help="do not run the tests, and build even if a check fails"
    )
    without_tests.add_argument("--tagged", action="store_true", help="for CI: the tests have run and the tag is set")
    chosen = parser.parse_args(arguments)
    faults = list(find_faults(ROOT, chosen.version, tagged=chosen.tagged))
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    if faults and not chosen.dry_run:
        return 1
    if not (chosen.dry_run or chosen.tagged) and subprocess.run(["make", "test"], cwd=ROOT, check=False).returncode:
        return 1
    try:
        _build_and_try(chosen.version)
    except Unfit as exc:
        print(exc, file=sys.stderr)
        return 1
    if faults:
        return 1
    if not chosen.tagged:
        _show_next_steps(chosen.version)
    return 0


def _build_and_try(version: str) -> None:
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    built, client, package = build(ROOT / "dist"), build(ROOT / "dist", CLIENT), build_package(ROOT / "dist")
    print(write_sums(ROOT / "dist"), end="", flush=True)
    try_client(client.wheel)
    print(f"{client.wheel.name}: installs in an empty environment, and plays the first game of its README", flush=True)
    try_package(package)
    print(f"{package.name}: installs in an empty project, and does so, too; its files:", flush=True)
    print("\n".join(f"  {path}" for path in sorted(list_contents(package))), flush=True)
    try_wheel(built.wheel, version)
    print(f"{built.wheel.name}: installs, and says its version and its document", flush=True)
    print(f"{built.sdist.name}: {try_sdist(built.sdist)}", flush=True)


def _show_next_steps(version: str) -> None:
    print(f"{version} may be released. The tag starts .github/workflows/release.yml:")
    print(write_tagging(version))


if __name__ == "__main__":
    sys.exit(main())
