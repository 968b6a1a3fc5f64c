"""Check the files of deploy/ and .github/ with the tools that know them: python -m tests.programs.deploy_check."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import yaml

from tests.deploy.files import (
    ALERTMANAGER,
    COMPOSE,
    DEPLOY,
    DOCKERFILE,
    GITHUB,
    HAPROXY,
    KUBERNETES,
    PROMETHEUS,
    ROOT,
    RULE_TESTS,
    RULES,
)
from tests.programs.binaries import NoProgram, find_or_get, surroundings
from tests.programs.deploy_check import crds

_TOOLS: Final = ROOT / ".venv-tools" / "bin"
KUBERNETES_VERSIONS: Final = ("1.31", "1.34")
"""The oldest and the newest version whose schemas the manifests must match."""


class Failed(Exception):
    """A tool found a fault; the message is its output."""


def main() -> int:
    """Run every check and return the exit code: 0 if all passed."""
    failed: list[str] = []
    for name, check in CHECKS.items():
        try:
            check()
        except (Failed, NoProgram) as exc:
            failed.append(name)
            print(f"{name}: {exc}", file=sys.stderr)
        else:
            print(f"{name}: ok", flush=True)
    return 1 if failed else 0


def run(*command: str | Path) -> str:
    """Run a tool and return its output.

    Errors: Failed, with its output.
    """
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=surroundings(), check=False)
    if done.returncode:
        raise Failed(f"{Path(words[0]).name} says:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_dockerfile() -> None:
    """Lint the Dockerfile and its shell commands."""
    run(_TOOLS / "hadolint", DOCKERFILE)


def check_yaml() -> None:
    """Lint all YAML files."""
    run(_TOOLS / "yamllint", "--strict", "-c", DEPLOY / ".yamllint.yaml", DEPLOY, GITHUB)


def check_compose() -> None:
    """Check the compose file against the schema of its specification."""
    run(_TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE)


def check_github() -> None:
    """Check workflows and issue templates against their schemas."""
    forms = [path for path in (GITHUB / "ISSUE_TEMPLATE").iterdir() if path.name != "config.yml"]
    kinds = {"workflows": (GITHUB / "workflows").iterdir(), "issue-forms": forms}
    for kind, paths in kinds.items():
        run(_TOOLS / "check-jsonschema", "--builtin-schema", f"vendor.github-{kind}", *sorted(paths))


def check_manifests() -> None:
    """Render the manifests and check each against the schema of its kind."""
    rendered = run(find_or_get("kubectl"), "kustomize", KUBERNETES)
    custom = [m for m in yaml.safe_load_all(rendered) if m["apiVersion"].startswith("monitoring.coreos.com/")]
    for manifest in custom:
        crds.check(manifest)
    known = [m for m in yaml.safe_load_all(rendered) if m not in custom]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rendered.yaml"
        path.write_text(yaml.safe_dump_all(known), encoding="utf-8")
        for version in KUBERNETES_VERSIONS:
            run(_TOOLS / "kubernetes-validate", "--strict", "-k", version, path)


def check_prometheus() -> None:
    """Check the configuration and the rules, and run the tests of the rules."""
    promtool = find_or_get("promtool")
    run(promtool, "check", "config", PROMETHEUS)
    run(promtool, "check", "rules", RULES)
    run(find_or_get("amtool"), "check-config", ALERTMANAGER)
    run(promtool, "test", "rules", *sorted(RULE_TESTS.glob("*.yml")))


def check_haproxy() -> None:
    """Check the configuration of the load balancer."""
    run(find_or_get("haproxy"), "-c", "-f", HAPROXY)


CHECKS: Final[dict[str, Callable[[], None]]] = {
    "Dockerfile": check_dockerfile,
    "YAML": check_yaml,
    "compose": check_compose,
    "GitHub": check_github,
    "Kubernetes": check_manifests,
    "Prometheus": check_prometheus,
    "HAProxy": check_haproxy,
}

if __name__ == "__main__":
    sys.exit(main())
