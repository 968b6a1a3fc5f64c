"""Reading the files of deploy/, strictly."""

import re
import tomllib
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
GITHUB: Final = ROOT / ".github"
COMPOSE: Final = DEPLOY / "compose.yaml"
DOCKERFILE: Final = DEPLOY / "Dockerfile"
HAPROXY: Final = DEPLOY / "haproxy" / "haproxy.cfg"
RULES: Final = DEPLOY / "prometheus" / "rules.yml"
RULE_TESTS: Final = DEPLOY / "prometheus" / "tests"
ALERTMANAGER: Final = DEPLOY / "prometheus" / "alertmanager.yml"
PROMETHEUS: Final = DEPLOY / "prometheus" / "prometheus.yml"
DASHBOARDS: Final = DEPLOY / "grafana" / "dashboards"
KUBERNETES: Final = DEPLOY / "kubernetes"
RUNBOOKS: Final = DEPLOY / "runbooks"
SETTINGS: Final = DEPLOY / "SETTINGS.md"
REDIS: Final = DEPLOY / "REDIS.md"
_HATCH: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
DOCUMENTS: Final[list[str]] = _HATCH["targets"]["wheel"]["hooks"]["custom"]["documents"]
"""What the pages show and is kept elsewhere."""


class _OnceOnly(yaml.SafeLoader):
    """Reads YAML, and refuses a mapping with a duplicate key: the first value would be lost silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        if len(keys) != len(set(keys)):
            raise yaml.constructor.ConstructorError(None, None, "a key stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """Read the one document of a YAML file."""
    return yaml.load(path.read_text(encoding="utf-8"), _OnceOnly)


def read_json(path: Path) -> Any:
    return msgspec.json.decode(path.read_bytes())


def all_files() -> list[Path]:
    """List every file of deploy/."""
    return sorted(path for path in DEPLOY.rglob("*") if path.is_file() and path.parent.name != "__pycache__")


def alerts() -> dict[str, dict[str, Any]]:
    """Return every alert by its name."""
    return {rule["alert"]: rule for rule in _rules() if "alert" in rule}


def records() -> dict[str, str]:
    """Return the expression of every recording rule by its name."""
    return {rule["record"]: rule["expr"] for rule in _rules() if "record" in rule}


@cache
def _rules() -> tuple[dict[str, Any], ...]:
    return tuple(rule for group in read_yaml(RULES)["groups"] for rule in group["rules"])


def manifests() -> dict[str, Any]:
    """Return the resources that the kustomization lists, by their kind."""
    read = [read_yaml(KUBERNETES / name) for name in read_yaml(KUBERNETES / "kustomization.yaml")["resources"]]
    assert len({manifest["kind"] for manifest in read}) == len(read)
    return {manifest["kind"]: manifest for manifest in read}


def rights_of_redis() -> list[str]:
    """Return the rights of the service in Redis by the guide: on one server, in a cluster, and in a newer one."""
    return re.findall(r"`(\+[^`]+)`", REDIS.read_text(encoding="utf-8").partition("## Rights")[2])[:3]
