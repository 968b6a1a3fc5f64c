"""Every file of deploy/ can be parsed, names only files that exist, and pins the images of others."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from deploy.generate import prometheus_rule
from tests.deploy.files import (
    COMPOSE,
    DASHBOARDS,
    DEPLOY,
    DOCKERFILE,
    HAPROXY,
    KUBERNETES,
    PROMETHEUS,
    ROOT,
    RULE_TESTS,
    all_files,
    read_yaml,
)
from tests.support.http.client import framework_of, the_app

YAML: Final = [path for path in all_files() if path.suffix in {".yaml", ".yml"}]
WORKFLOWS: Final = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXTS: Final = [path for path in all_files() if path.suffix == ".md"]
# Where the paths inside containers, in the compose file and the configurations, are mounted.
INSIDE: Final = {"/etc/grafana/dashboards": DASHBOARDS, "/etc/prometheus": DEPLOY / "prometheus"}


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", YAML, ids=shown)
def test_yaml_is_read_without_a_key_that_stands_twice(path: Path) -> None:
    assert isinstance(read_yaml(path), dict)


@pytest.mark.parametrize("path", [*YAML, *WORKFLOWS], ids=shown)
def test_lines_of_yaml_are_as_short_as_yamllint_wants_them(path: Path) -> None:
    width = read_yaml(DEPLOY / ".yamllint.yaml")["rules"]["line-length"]["max"]
    assert [line for line in path.read_text().splitlines() if len(line) > width and " " in line.strip("# -")] == []


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "twice.yaml").write_text("a: {b: 1, b: 2}\n")
    with pytest.raises(yaml.constructor.ConstructorError, match="twice"):
        read_yaml(tmp_path / "twice.yaml")


def _images() -> list[str]:
    services = read_yaml(COMPOSE)["services"]
    kustomization = read_yaml(KUBERNETES / "kustomization.yaml")["images"]
    containers = read_yaml(KUBERNETES / "deployment.yaml")["spec"]["template"]["spec"]["containers"]
    return [
        *re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE),
        *(service["image"] for service in services.values()),
        *(f"{image['name']}:{image['newTag']}" for image in kustomization),
        *(container["image"] for container in containers),
    ]


@pytest.mark.parametrize("image", sorted(set(_images())))
def test_an_image_is_pinned_to_a_whole_version(image: str) -> None:
    version = r"v?\d+\.\d+\.\d+(\.dev\d+|(-[a-z]+)*)"
    assert re.fullmatch(rf"[a-z/-]+:(\$\{{VERSION:-)?{version}\}}?(@sha256:[0-9a-f]{{64}})?", image)


def test_all_stages_of_the_image_begin_with_the_same_one() -> None:
    assert len(set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE))) == 1


@pytest.mark.parametrize("path", all_files(), ids=shown)
def test_nothing_is_the_latest(path: Path) -> None:
    assert not re.search(r":latest\b|newTag: latest", path.read_text(encoding="utf-8"))


def test_every_file_that_the_compose_file_names_is_there() -> None:
    compose = read_yaml(COMPOSE)
    build = compose["services"]["service"]["build"]
    context = (DEPLOY / build["context"]).resolve()
    assert context == ROOT
    assert (context / build["dockerfile"]) == DOCKERFILE
    for service in compose["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in compose["volumes"]


def test_every_file_that_the_image_is_made_from_is_there_and_sent_to_the_builder() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for line in re.findall(r"^COPY (?!--from)(.*)", DOCKERFILE.read_text(), re.MULTILINE):
        *sources, _ = line.split()
        for source in sources:
            for lock in ("run", "otel"):
                copied = source.replace("${LOCK}", lock)
                assert (ROOT / copied).exists()
                assert any(f"{line}/".startswith(f"!{copied}/") for line in ignored), copied


def test_every_file_that_prometheus_and_grafana_name_is_there() -> None:
    assert all((PROMETHEUS.parent / name).is_file() for name in read_yaml(PROMETHEUS)["rule_files"])
    tests = sorted(RULE_TESTS.glob("*.yml"))
    assert tests
    assert all((RULE_TESTS / name).is_file() for test in tests for name in read_yaml(test)["rule_files"])
    grafana: dict[str, Any] = read_yaml(COMPOSE)["services"]["grafana"]
    home = Path(grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    assert (INSIDE[str(home.parent)] / home.name).is_file()
    (provider,) = read_yaml(DEPLOY / "grafana/provisioning/dashboards/catchten.yaml")["providers"]
    assert provider["options"]["path"] in INSIDE


def test_a_path_in_an_option_of_a_command_is_mounted_there() -> None:
    for service in read_yaml(COMPOSE)["services"].values():
        mounted = [volume.split(":")[1] for volume in service.get("volumes", ())]
        for word in service.get("command", ()):
            if found := re.search(r"(/[\w./-]+)$", word):
                assert any(found[1].startswith(place) for place in mounted), word


@pytest.mark.parametrize("path", TEXTS, ids=shown)
def test_every_link_leads_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
        linked = path.parent / target if target else path
        assert linked.exists(), target
        if anchor:
            heads = re.findall("^#+ (.*)", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", TEXTS, ids=shown)
def test_every_path_that_a_text_names_is_there(path: Path) -> None:
    for name in re.findall(r"`((?:deploy|tests|service|requirements)/[\w./-]+)`", path.read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), name


def test_what_is_compiled_runs_on_every_processor_of_its_architecture() -> None:
    compiling = re.findall(r"CC=.*", (ROOT / "Makefile").read_text() + DOCKERFILE.read_text())
    assert len(compiling) == 2
    assert all("-mcpu=baseline" in line for line in compiling)


def test_every_address_that_the_service_is_asked_at_is_one_of_its_own() -> None:
    (container,) = read_yaml(KUBERNETES / "deployment.yaml")["spec"]["template"]["spec"]["containers"]
    asked = {probe["httpGet"]["path"] for name, probe in container.items() if name.endswith("Probe")}
    asked |= {end["path"] for end in read_yaml(KUBERNETES / "servicemonitor.yaml")["spec"]["endpoints"]}
    asked |= set(re.findall(r"send meth GET uri (\S+)", HAPROXY.read_text()))
    asked |= set(re.findall(r"request\('GET', '(\S+)'\)", DOCKERFILE.read_text()))
    paths = {path.partition("?")[0] for path in asked}
    assert paths == {"/livez", "/readyz", "/metrics"}
    assert paths <= {route.path for route in framework_of(the_app()).routes}


def test_the_rules_for_kubernetes_are_those_of_prometheus() -> None:
    assert prometheus_rule.PATH.read_text(encoding="utf-8") == prometheus_rule.as_manifest()
