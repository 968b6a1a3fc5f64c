"""Rules, dashboards and runbooks use metrics that exist, by labels that they have."""

import re
from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest

from service.api.operation_list import OPERATIONS
from service.api.question_list import LOOKED_UP, QUESTIONS
from service.platform.metrics.families import SECONDS
from service.platform.metrics.requests import RequestClass
from tests.deploy.files import ALERTMANAGER, DASHBOARDS, RULE_TESTS, RUNBOOKS, alerts, read_json, read_yaml, records
from tests.deploy.names import GIVEN, OF_HAPROXY, grouped, matched, metrics, recorded, selectors
from tests.deploy.queries import all_queries, dashboard_queries

DASHBOARD_FILES: Final = sorted(DASHBOARDS.glob("*.json"))
PAGES: Final = sorted(RUNBOOKS.glob("*.md"))
QUERIES: Final = all_queries()


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_a_query_asks_for_metrics_and_labels_that_there_are(query: str) -> None:
    known = metrics()
    found = selectors(query)
    assert set(found.values()) <= known.keys()
    assert recorded(query) <= records().keys()
    for selector, name in found.items():
        assert matched(selector) <= known[name], selector
    of_all = frozenset[str]().union(*(known[name] for name in found.values()))
    assert grouped(query) <= of_all | GIVEN | {""} | (OF_HAPROXY if "haproxy_" in query else set())


def test_a_selector_is_found_with_all_its_matchers() -> None:
    query = 'sum by (le, route) (rate(catchten_a_bucket{route!="/v1/{id}",le="1"}[5m])) / catchten_b > job:catchten_c:d'
    assert selectors(query) == {
        'catchten_a_bucket{route!="/v1/{id}",le="1"}': "catchten_a_bucket",
        "catchten_b": "catchten_b",
    }
    assert matched('catchten_a_bucket{route!="/v1/{id}",le="1"}') == {"route"}
    assert grouped(query) == {"le", "route"}
    assert recorded(query) == {"job:catchten_c:d"}


def test_the_promise_of_speed_is_for_questions_of_light_work() -> None:
    assert 'class="questions",le="0.1"' in records()["namespace_job_class:catchten_slow:ratio_rate4m"]
    heavy = {one.path for one in QUESTIONS if one.is_sliced or one.is_long_running}
    promised = {one.path for one in OPERATIONS if one.request_class == "questions"}
    assert promised == {one.path for one in (*QUESTIONS, *LOOKED_UP)} - heavy
    assert "/v1/knowledge" in heavy
    assert {one.request_class for one in OPERATIONS if one.path in heavy} == {"heavy"}


def test_every_duration_that_a_rule_compares_is_a_bucket() -> None:
    pattern = re.compile(r'le="([^"]+)"|_bucket.*?> ([\d.]+)', re.DOTALL)
    compared = {float(a or b) for query in QUERIES.values() for a, b in pattern.findall(query)}
    assert compared == {0.1, 0.25}
    assert compared <= {*SECONDS}


def test_every_class_in_a_query_is_one_of_the_service() -> None:
    named = {found for query in QUERIES.values() for found in re.findall(r'\bclass(?:=~?|!=)"([^"]+)"', query)}
    known: tuple[str, ...] = get_args(RequestClass)
    assert {pattern for pattern in named if not any(re.fullmatch(pattern, name) for name in known)} == set()
    assert len(named) > 3


@pytest.mark.parametrize("name", alerts())
def test_an_alert_says_how_grave_it_is_and_has_a_page_that_tells_what_to_do(name: str) -> None:
    alert = alerts()[name]
    assert alert["labels"]["severity"] in {"critical", "warning"}
    assert alert["annotations"].keys() == {"summary", "description", "runbook_url"}
    folder = '{{ or $externalLabels.runbooks "deploy/runbooks" }}'
    assert alert["annotations"]["runbook_url"] == f"{folder}/{name}.md"
    page = (RUNBOOKS / f"{name}.md").read_text(encoding="utf-8")
    assert re.findall("^#+ (.*)", page, re.MULTILINE) == [
        name,
        "What it means",
        "How to see it",
        "What to do",
        "How to verify",
    ]


def fired() -> Iterator[str]:
    """List the alerts that fire in a test of the rules."""
    for test in (test for path in RULE_TESTS.glob("*.yml") for test in read_yaml(path)["tests"]):
        yield from (case["alertname"] for case in test.get("alert_rule_test", ()) if case["exp_alerts"])
        for case in test.get("promql_expr_test", ()):
            if any(sample["value"] for sample in case["exp_samples"]):
                yield from re.findall(r'alertname="(\w+)"', f"{case['expr']} {case['exp_samples']}")


def test_every_alert_fires_in_a_test_of_the_rules() -> None:
    assert set(fired()) == alerts().keys()


def test_there_are_few_enough_alerts_to_know_them_all() -> None:
    assert len(alerts()) <= 20


def of_whom(query: str) -> set[str]:
    """Return the metrics in a query, with those of HAProxy, and those in what it has recorded."""
    recordings = (records()[name] for name in recorded(query))
    named = "catchten|process|haproxy"
    return set(re.findall(rf"(?<![\w:])(?:{named})_\w+(?![\w:])", query)).union(*map(of_whom, recordings))


def test_every_metric_of_an_alert_has_a_panel() -> None:
    shown = set[str]().union(*map(of_whom, dashboard_queries().values()))
    asked = set[str]().union(*(of_whom(alert["expr"]) for alert in alerts().values()))
    assert asked - shown == set()
    assert len(asked) > 20


def test_a_query_of_a_page_has_an_answer_without_api_keys() -> None:
    of_keys = {
        name: query for name, query in QUERIES.items() if "catchten_app_" in query and name.startswith("runbook")
    }
    assert {name for name, query in of_keys.items() if ") or " not in query} == set()
    assert len(of_keys) > 2


def inhibited() -> Iterator[tuple[str, str]]:
    """Pair each alert with each cause that silences it, by the file of Alertmanager."""
    for rule in read_yaml(ALERTMANAGER)["inhibit_rules"]:
        patterns = [re.findall(r'alertname(!?)=~?"(.*)"', each) for each in rule["target_matchers"]]
        (cause,) = (re.fullmatch(r'alertname="(\w+)"', each) for each in rule["source_matchers"])
        assert cause is not None
        for name in alerts():
            if all(bool(re.fullmatch(pattern, name)) != bool(no) for ((no, pattern),) in patterns):
                yield name, cause[1]


def test_only_an_alert_that_there_is_silences_others_and_never_itself() -> None:
    pairs = set(inhibited())
    assert {cause for _, cause in pairs} <= alerts().keys()
    assert not {name for name, cause in pairs if name == cause}
    assert {name for name, cause in pairs if cause == "CatchtenDown"} == alerts().keys() - {"CatchtenDown"}
    assert ("CatchtenErrorsBurnFast", "CatchtenStoreDown") in pairs


def test_every_page_belongs_to_an_alert() -> None:
    assert {page.stem for page in PAGES} == alerts().keys()


@pytest.mark.parametrize("file", DASHBOARD_FILES, ids=lambda file: file.stem)
def test_a_dashboard_can_be_provisioned(file: Any) -> None:
    dashboard = read_json(file)
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    assert variables == {"datasource", "namespace", "instance"}
    panels = dashboard["panels"]
    assert [panel["id"] for panel in panels] == list(range(1, len(panels) + 1))
    for panel in panels:
        assert panel["title"]
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
        for target in panel.get("targets", ()):
            assert target["datasource"]["uid"] == "${datasource}"
            assert 'namespace=~"$namespace"' in target["expr"]
            shown = re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
            assert set(shown) <= grouped(target["expr"]), panel["title"]


def test_every_dashboard_has_a_name_of_its_own() -> None:
    dashboards = [read_json(file) for file in DASHBOARD_FILES]
    assert len({d["uid"] for d in dashboards}) == len({d["title"] for d in dashboards}) == len(dashboards) == 3
