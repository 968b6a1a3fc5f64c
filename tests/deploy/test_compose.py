"""The compose file: no container has more privileges, memory or networks than it needs, and all parts fit."""

import re
from typing import Any, Final

import pytest

from service import __version__
from service.http.readiness import STORE_TIMEOUT
from service.platform.settings import read_settings
from tests.deploy.files import COMPOSE, DOCKERFILE, HAPROXY, PROMETHEUS, alerts, read_yaml
from tests.deploy.names import settings

SERVICES: Final[dict[str, Any]] = read_yaml(COMPOSE)["services"]
ENVIRONMENT: Final[dict[str, str]] = SERVICES["service"]["environment"]
MIB: Final = 1024 * 1024


def seconds(text: str) -> float:
    found = re.fullmatch(r"(\d+)(ms|s|m)", text)
    assert found
    return int(found[1]) * {"ms": 0.001, "s": 1, "m": 60}[found[2]]


@pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES.keys())
def test_a_container_can_change_nothing_and_become_nobody(service: dict[str, Any]) -> None:
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not {"privileged", "cap_add", "network_mode", "pid", "ipc"} & service.keys()


@pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES.keys())
def test_a_container_has_bounds_and_is_started_again(service: dict[str, Any]) -> None:
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}
    assert service["restart"] == "unless-stopped"
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_is_asked_whether_it_is_well(name: str) -> None:
    assert ("healthcheck" in SERVICES[name]) != (name == "service"), "the service has the check of its image"


def test_only_the_proxy_and_grafana_can_be_reached_and_only_from_this_machine() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"proxy": ["127.0.0.1:8080:8080"], "grafana": ["127.0.0.1:3000:3000"]}


def test_only_who_has_to_reaches_redis_and_the_metrics() -> None:
    networks = read_yaml(COMPOSE)["networks"]
    reach = {name: {n for n, s in SERVICES.items() if name in s["networks"]} for name in networks}
    assert reach["store"] == {"service", "redis"}
    assert reach["watch"] == {"service", "proxy", "prometheus", "grafana"}
    assert networks["store"]["internal"]
    assert networks["watch"]["internal"]


def test_a_container_waits_only_for_what_is_there() -> None:
    for service in SERVICES.values():
        for name, wait in service.get("depends_on", {}).items():
            assert name in SERVICES
            assert wait == {"condition": "service_healthy"}


def test_the_service_knows_every_setting_and_takes_its_value() -> None:
    assert ENVIRONMENT.keys() <= settings()
    read_settings(ENVIRONMENT)


def test_there_are_two_replicas_and_they_may_be_more() -> None:
    assert SERVICES["service"]["deploy"]["replicas"] == 2
    assert "container_name" not in SERVICES["service"]
    assert HAPROXY.read_text().count("server-template service- 10 service:8000") == 5


def test_a_replica_is_left_the_time_to_drain_and_to_finish() -> None:
    drain, finish = float(ENVIRONMENT["DRAIN_SECONDS"]), float(ENVIRONMENT["SHUTDOWN_SECONDS"])
    assert seconds(SERVICES["service"]["stop_grace_period"]) > drain + finish


def test_the_proxy_notices_that_a_replica_drains_before_it_is_gone() -> None:
    proxy = HAPROXY.read_text()
    check = re.search(r"timeout check (\w+)", proxy)
    assert check
    for inter, fall in re.findall(r"inter (\w+) fall (\d+)", proxy):
        assert seconds(inter) * int(fall) + seconds(check[1]) < float(ENVIRONMENT["DRAIN_SECONDS"])


def test_the_proxy_waits_for_a_check_longer_than_the_check_waits_for_redis() -> None:
    found = re.search(r"timeout check (\w+)", HAPROXY.read_text())
    assert found
    assert seconds(found[1]) >= 2 * STORE_TIMEOUT


def test_the_proxy_waits_longer_than_a_stream_is_silent() -> None:
    heartbeat = read_settings(ENVIRONMENT).stream_heartbeat
    for side in ("client", "server"):
        limit = re.search(rf"timeout {side} (\w+)", HAPROXY.read_text())
        assert limit
        assert seconds(limit[1]) > heartbeat


def test_streams_take_half_of_the_connections_of_the_proxy_at_most() -> None:
    proxy = HAPROXY.read_text()
    descriptors, streams = re.search(r"fd-hard-limit (\d+)", proxy), re.search(r"be_conn\(streams\) ge (\d+)", proxy)
    assert descriptors
    assert streams
    assert int(descriptors[1]) == SERVICES["proxy"]["ulimits"]["nofile"]
    assert int(streams[1]) <= int(descriptors[1]) / 2 / 2
    assert f"> 0.8 * {streams[1]}" in alerts()["CatchtenConnections"]["expr"]


def test_what_waits_for_a_replica_that_is_down_is_ended_other_than_questions_which_are_asked_again() -> None:
    backends = dict(re.findall(r"^backend (\w+)\n(.*?)(?=^\S|\Z)", HAPROXY.read_text(), re.MULTILINE | re.DOTALL))
    assert {name for name, text in backends.items() if "shutdown-sessions" in text} == {"games", "streams"}
    assert {name for name, text in backends.items() if "response-timeout" in text} == {"questions", "heavy"}


def test_prometheus_scrapes_the_proxy() -> None:
    (port,) = re.findall(r"frontend metrics\n    bind :(\d+)\n", HAPROXY.read_text())
    jobs = {job["job_name"]: job for job in read_yaml(PROMETHEUS)["scrape_configs"]}
    assert jobs["haproxy"]["static_configs"] == [{"targets": [f"proxy:{port}"]}]


def test_the_service_trusts_the_network_of_the_proxy() -> None:
    ((only,),) = (network["ipam"]["config"] for network in [read_yaml(COMPOSE)["networks"]["front"]])
    assert ENVIRONMENT["TRUSTED_PROXIES"] == only["subnet"]


def test_memory_is_told_at_four_fifths_of_the_limit() -> None:
    limit = int(SERVICES["service"]["deploy"]["resources"]["limits"]["memory"].removesuffix("M"))
    assert alerts()["CatchtenMemory"]["expr"].endswith(f"> 0.8 * {limit} * 1024 * 1024")


def test_the_image_has_the_version_of_the_service() -> None:
    assert SERVICES["service"]["image"] == f"catch-the-ten:${{VERSION:-{__version__}}}"
    assert f"ARG VERSION={__version__}\n" in DOCKERFILE.read_text()
