"""The Kubernetes manifests: references fit, and pods have no privileges."""

from typing import Any, Final

import msgspec
import pytest
import yaml

from service import __version__
from service.platform.settings import read_settings
from tests.deploy.files import KUBERNETES, alerts, manifests, read_yaml
from tests.deploy.names import settings
from tests.programs.deploy_check import crds

MANIFESTS: Final = manifests()
KUSTOMIZATION: Final[dict[str, Any]] = read_yaml(KUBERNETES / "kustomization.yaml")
POD: Final[dict[str, Any]] = MANIFESTS["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]
((CONFIG,),) = (KUSTOMIZATION["configMapGenerator"],)
LITERALS: Final = dict(literal.split("=", 1) for literal in CONFIG["literals"])
PORTS: Final = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
SELECTORS: Final = {
    "Deployment": MANIFESTS["Deployment"]["spec"]["selector"]["matchLabels"],
    "Service": MANIFESTS["Service"]["spec"]["selector"],
    "PodDisruptionBudget": MANIFESTS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
    "NetworkPolicy": MANIFESTS["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
}


def test_every_file_is_part_of_the_whole() -> None:
    files = {path.name for path in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert sorted(KUSTOMIZATION["resources"]) == sorted(files)


@pytest.mark.parametrize(
    "labels", [m["metadata"]["labels"] for m in (*MANIFESTS.values(), POD)], ids=[*MANIFESTS, "pod"]
)
def test_a_resource_has_the_recommended_labels(labels: dict[str, str]) -> None:
    recommended = ("name", "instance", "version", "component", "part-of", "managed-by")
    assert labels.keys() == {f"app.kubernetes.io/{name}" for name in recommended}
    assert labels["app.kubernetes.io/version"] == __version__


@pytest.mark.parametrize("labels", SELECTORS.values(), ids=SELECTORS.keys())
def test_a_selector_finds_the_pods(labels: dict[str, str]) -> None:
    assert labels
    assert labels.items() <= POD["metadata"]["labels"].items()
    assert "app.kubernetes.io/version" not in labels, "a selector must outlive a version"


def test_pods_meet_the_restricted_standard() -> None:
    pod, container = POD["spec"]["securityContext"], CONTAINER["securityContext"]
    assert pod["runAsNonRoot"] is True
    assert pod["runAsUser"] >= 10_000
    assert pod["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["allowPrivilegeEscalation"] is False
    assert container["readOnlyRootFilesystem"] is True
    assert container["capabilities"] == {"drop": ["ALL"]}


def test_pods_have_no_token_and_no_stray_settings() -> None:
    assert POD["spec"]["automountServiceAccountToken"] is False
    assert MANIFESTS["ServiceAccount"]["automountServiceAccountToken"] is False
    assert POD["spec"]["serviceAccountName"] == MANIFESTS["ServiceAccount"]["metadata"]["name"]
    assert POD["spec"]["enableServiceLinks"] is False


@pytest.mark.parametrize(
    ("probe", "path"),
    [("startupProbe", "/livez"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz?exclude=store")],
)
def test_a_probe_asks_what_it_is_for(probe: str, path: str) -> None:
    assert CONTAINER[probe]["httpGet"] == {"path": path, "port": "http"}


def test_every_port_that_is_named_is_there() -> None:
    assert {port["targetPort"] for port in MANIFESTS["Service"]["spec"]["ports"]} == PORTS.keys()
    opened = {port["port"] for rule in MANIFESTS["NetworkPolicy"]["spec"]["ingress"] for port in rule["ports"]}
    assert opened == PORTS.keys()
    served = {port["name"] for port in MANIFESTS["Service"]["spec"]["ports"]}
    assert {endpoint["port"] for endpoint in MANIFESTS["ServiceMonitor"]["spec"]["endpoints"]} <= served
    assert PORTS["http"] == read_settings({}).port
    assert PORTS["metrics"] == int(LITERALS["METRICS_PORT"])


def test_the_service_knows_every_setting_and_takes_its_value() -> None:
    assert CONTAINER["envFrom"] == [{"configMapRef": {"name": CONFIG["name"]}}]
    assert LITERALS.keys() | {variable["name"] for variable in CONTAINER["env"]} <= settings()
    read_settings(LITERALS)


def test_what_may_hold_a_password_comes_from_a_secret() -> None:
    assert all("secretKeyRef" in variable["valueFrom"] for variable in CONTAINER["env"])
    assert "Secret" not in MANIFESTS


def test_a_pod_is_left_the_time_to_drain_and_to_finish() -> None:
    drain, finish = int(LITERALS["DRAIN_SECONDS"]), int(LITERALS["SHUTDOWN_SECONDS"])
    assert POD["spec"]["terminationGracePeriodSeconds"] > drain + finish
    probe = CONTAINER["readinessProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] + probe["timeoutSeconds"] < drain


def test_a_rollout_takes_no_pod_away_before_another_one_is_ready() -> None:
    assert MANIFESTS["Deployment"]["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert "replicas" not in MANIFESTS["Deployment"]["spec"], "the autoscaler would be overruled by each rollout"
    assert MANIFESTS["HorizontalPodAutoscaler"]["spec"]["minReplicas"] >= 2


def test_the_autoscaler_looks_at_the_cpu_and_at_requests_in_flight() -> None:
    spec = MANIFESTS["HorizontalPodAutoscaler"]["spec"]
    assert spec["scaleTargetRef"]["name"] == MANIFESTS["Deployment"]["metadata"]["name"]
    cpu, flight = spec["metrics"]
    assert cpu["resource"] == {"name": "cpu", "target": {"type": "AverageValue", "averageValue": "700m"}}
    assert "cpu" in CONTAINER["resources"]["requests"]
    assert flight["pods"]["metric"]["name"] == "catchten_requests_in_flight"


def test_memory_is_told_at_four_fifths_of_the_limit() -> None:
    limit = int(CONTAINER["resources"]["limits"]["memory"].removesuffix("Mi"))
    assert alerts()["CatchtenMemory"]["expr"].endswith(f"> 0.8 * {limit} * 1024 * 1024")


def test_the_image_is_the_one_that_the_kustomization_names() -> None:
    ((image,),) = (KUSTOMIZATION["images"],)
    assert CONTAINER["image"] == f"{image['name']}:{__version__}"
    assert image["newTag"] == __version__


def test_prometheus_finds_the_pods_under_the_name_that_its_rules_expect() -> None:
    spec = MANIFESTS["ServiceMonitor"]["spec"]
    labels = MANIFESTS["Service"]["metadata"]["labels"]
    assert spec["selector"]["matchLabels"].items() <= labels.items()
    assert labels[spec["jobLabel"]] == "catchten"
    assert any('job="catchten"' in alert["expr"] for alert in alerts().values())


@pytest.mark.parametrize("kind", ["ServiceMonitor", "PrometheusRule"])
def test_a_resource_of_the_operator_has_its_shape(kind: str) -> None:
    crds.check(MANIFESTS[kind])


WRONG: Final[list[tuple[str, dict[str, Any]]]] = [
    ("ServiceMonitor", {"spec": {**MANIFESTS["ServiceMonitor"]["spec"], "endpoint": []}}),
    ("PrometheusRule", {"spec": {"groups": [{"name": "a", "interval": "15", "rules": []}]}}),
    ("PrometheusRule", {"spec": {"groups": [{"name": "a", "interval": "15s", "rules": [{"alert": "a"}]}]}}),
]


@pytest.mark.parametrize(("kind", "change"), WRONG)
def test_a_resource_of_another_shape_is_refused(kind: str, change: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        crds.check(MANIFESTS[kind] | change)


def test_a_rollout_waits_to_see_that_a_new_pod_stays() -> None:
    spec = MANIFESTS["Deployment"]["spec"]
    minutes = int(alerts()["CatchtenStoreDown"]["for"].removesuffix("m"))
    scrape = int(MANIFESTS["ServiceMonitor"]["spec"]["endpoints"][0]["interval"].removesuffix("s"))
    assert spec["minReadySeconds"] >= 60 * minutes + 2 * scrape
    assert spec["minReadySeconds"] < spec.get("progressDeadlineSeconds", 600), "else no rollout ever succeeds"


def test_the_component_for_api_keys_mounts_the_secret_as_the_file_that_is_read_again() -> None:
    component = read_yaml(KUBERNETES / "api-keys" / "kustomization.yaml")
    [generated] = component["configMapGenerator"]
    name, path = generated["literals"][0].split("=")
    [patch] = (yaml.safe_load(each["patch"]) for each in component["patches"])
    pod = patch["spec"]["template"]["spec"]
    [container], [volume] = pod["containers"], pod["volumes"]
    [mount], [item] = container["volumeMounts"], volume["secret"]["items"]
    assert (name, generated["name"], container["name"]) == ("API_KEYS_FILE", CONFIG["name"], CONTAINER["name"])
    assert path == f"{mount['mountPath']}/{item['path']}"
    assert "subPath" not in mount, "what is mounted so is never brought up to date"
    [variable] = (each for each in CONTAINER["env"] if each["name"] == "API_KEYS")
    source = variable["valueFrom"]["secretKeyRef"]
    assert (source["name"], source["key"]) == (volume["secret"]["secretName"], item["key"])
    assert container["env"] == [{"name": "API_KEYS", "$patch": "delete"}]
