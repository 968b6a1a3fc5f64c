"""The pages for people: they need nothing from elsewhere, run nothing of anybody else's, and lead on."""

import gzip
import re
from html import unescape
from posixpath import dirname, join, normpath
from typing import Any, Final
from urllib.parse import urldefrag, urljoin, urlsplit

import msgspec
import pytest

from service.api.examples import read_examples
from service.api.openapi.document import encoded_document
from service.api.pages import docs
from service.api.pages.guide import DOCUMENTS
from service.api.pages.static_files import find_document
from service.api.reference.problems import ProblemCatalog, read_meanings
from service.game.faults import FAULTS
from service.game.rulesets import RULESETS
from service.game.rulesets.ruleset import Source, Sources
from service.http.problem_kinds import PROBLEM_KINDS, problem_type
from service.http.validation import SHAPE_FAULTS
from service.schemas.refusal import ProblemCode
from tests.api.openapi.reading import SCHEMAS
from tests.support.http.client import Answer, Request, ask, post, read_problem

PAGES: Final = [
    "/",
    "/docs",
    *(f"/{address}" for address in DOCUMENTS),
    "/table",
    "/how-to-play",
    "/rulesets",
    "/problems",
    *map(problem_type, PROBLEM_KINDS),
]
SOUGHT: Final = {
    "webhook": "list_finished_games",
    "undo": "take_back",
    "websocket": "follow_events",
    "bot": "suggestions",
}
"""Words by which people look for an operation, each with one that they find."""
_ATTRIBUTE: Final = re.compile(r'(?:href|src)="([^"]*)"')
TYPES: Final = {
    "/static/deal.svg": "image/svg+xml",
    "/static/docs.js": "text/javascript; charset=utf-8",
    "/static/icon.svg": "image/svg+xml",
    "/static/pages.css": "text/css; charset=utf-8",
    "/static/preview.png": "image/png",
    "/static/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "/static/swagger-ui.css": "text/css; charset=utf-8",
    "/static/table-de.js": "text/javascript; charset=utf-8",
    "/static/table-worker.js": "text/javascript; charset=utf-8",
    "/static/table.css": "text/css; charset=utf-8",
    "/static/table.js": "text/javascript; charset=utf-8",
    "/static/table.webmanifest": "application/manifest+json",
}


def get(path: str, *headers: tuple[str, str], method: str = "GET") -> Answer:
    """Read a path."""
    return ask(Request(path, method=method, headers=headers))


def leads_to(path: str) -> set[str]:
    """List every address that a page names, as a path of this service."""
    return {urldefrag(target).url for target in links_of(path)}


def links_of(path: str) -> set[str]:
    """List the same with the places on the pages to which they lead."""
    names = {unescape(name) for name in _ATTRIBUTE.findall(get(path).body.decode())}
    return {urljoin(path, name) for name in names if not name.startswith("data:")}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_leads_only_to_what_this_service_serves(path: str) -> None:
    for target in leads_to(path):
        assert not urlsplit(target).netloc
        assert get(target).status == 200, target


@pytest.mark.parametrize("path", PAGES)
def test_a_page_leads_only_to_places_that_there_are(path: str) -> None:
    # The script of /table reads what is behind its `#`; the tests of the page hold that.
    for page, place in map(urldefrag, links_of(path)):
        assert not place or page == "/table" or f'id="{place}"' in get(page).body.decode(), place


def test_the_commands_of_the_guide_ask_the_host_that_was_asked() -> None:
    request = Request("/guide", method="GET", headers=(("host", "cards.example:8443"),))
    page = ask(request).body.decode()
    assert "curl -s http://cards.example:8443/v1/" in page
    assert "localhost" not in page
    assert "\0" not in page


@pytest.mark.parametrize("path", [f"/{address}" for address in DOCUMENTS])
def test_the_contents_of_a_document_list_every_chapter(path: str) -> None:
    page = get(path).body.decode()
    chapters = re.findall('<h2 id="([a-z0-9-]+)">', page)
    assert len(chapters) > (15 if path == "/guide" else 1)
    assert {f"{path}#{chapter}" for chapter in chapters if chapter != "contents"} <= links_of(path)


def test_the_guide_leads_to_every_document() -> None:
    assert {f"/{address}" for address in DOCUMENTS} | {"/arazzo.json", "/openapi.json"} <= leads_to("/guide")


@pytest.mark.parametrize("path", [f"/{address}" for address in DOCUMENTS])
def test_a_document_has_no_place_twice(path: str) -> None:
    places = re.findall('id="([^"]*)"', get(path).body.decode())
    assert len(places) == len(set(places))


def test_every_link_from_document_to_document_is_kept() -> None:
    for address, path in DOCUMENTS.items():
        text = find_document(path).read_text(encoding="utf-8")
        linked = {normpath(join(dirname(path), target)) for target in re.findall(r"\]\((?!https?:)([^)#]+)", text)}
        wanted = {f"/{other}" for other, file in DOCUMENTS.items() if file in linked}
        assert wanted <= leads_to(f"/{address}"), address


def test_the_document_leads_to_pages_that_there_are() -> None:
    links = re.findall(r"\]\((/[^)]*)\)", msgspec.json.decode(encoded_document())["info"]["description"])
    assert links
    assert {get(path).status for path in links} == {200}


def test_the_workflows_are_served_beside_the_document_that_they_name() -> None:
    told = get("/arazzo.json").read(dict[str, Any])
    (source,) = told["sourceDescriptions"]
    assert urljoin("/arazzo.json", source["url"]) == "/openapi.json"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_nothing_but_files_of_this_service(path: str) -> None:
    answer = get(path)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert re.findall(rb"<script>|<style|onload=|javascript:|style=", answer.body) == []


def test_the_problems_are_there_as_data() -> None:
    catalog = get("/v1/problems").read(ProblemCatalog)
    assert {kind.code: (kind.type, kind.status, kind.title, kind.meaning, kind.field) for kind in catalog.problems} == {
        code: (problem_type(code), kind.status, kind.title, read_meanings()[code], kind.field)
        for code, kind in PROBLEM_KINDS.items()
    }
    assert {fault.code: fault.meaning for fault in catalog.body_faults} == SHAPE_FAULTS
    assert {fault.code: fault.meaning for fault in catalog.state_faults} == FAULTS
    assert {reason.code for reason in catalog.reasons} == set(SCHEMAS["VerdictReason"]["x-extensible-enum"])


@pytest.mark.parametrize("path", TYPES)
def test_a_file_of_a_page_can_be_kept(path: str) -> None:
    answer = get(path)
    assert answer.headers["content-type"] == TYPES[path]
    assert "max-age" in answer.headers["cache-control"]
    again = get(path, ("if-none-match", answer.headers["etag"]))
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("path", [*TYPES, "/openapi.json", "/openapi-3.2.json"])
def test_what_is_large_is_compressed_for_who_takes_that(path: str) -> None:
    plain, packed = get(path), get(path, ("accept-encoding", "br, gzip"))
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "accept-encoding")
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["etag"] != plain.headers["etag"]
    for encodings in ("", "gzip;q=0", "br"):
        other = get(path, ("accept-encoding", encodings))
        assert "content-encoding" not in other.headers
        assert (other.body, other.headers["vary"]) == (plain.body, "accept-encoding")


def test_the_pages_use_every_file_that_there_is_for_them() -> None:
    used = {target for path in ("/", "/docs", "/table") for target in leads_to(path)}
    used_elsewhere = {path for path in TYPES if path.startswith(("/static/table-", "/static/swagger-ui"))}
    used_elsewhere.add("/static/preview.png")
    assert {target for target in used if target.startswith("/static/")} | used_elsewhere == set(TYPES)


@pytest.mark.parametrize("path", ["/table", "/how-to-play"])
def test_who_shows_a_link_to_the_table_finds_its_picture_at_the_host_that_was_asked(path: str) -> None:
    page = ask(Request(path, method="GET", headers=(("host", "cards.example:8443"),))).body.decode()
    said = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert said["image"] == "http://cards.example:8443/static/preview.png"
    assert said["title"]
    assert said["description"]
    picture = get("/static/preview.png").body
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 20 * 1024


@pytest.mark.parametrize("path", ["/nowhere", "/problems/no-such-problem", "/guide/nothing", "/static/deal.png"])
def test_a_browser_that_comes_to_nothing_is_led_on(path: str) -> None:
    answer = get(path, ("accept", "text/html,application/xhtml+xml,*/*;q=0.8"))
    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    links = {urldefrag(urljoin(path, unescape(name))).url for name in _ATTRIBUTE.findall(answer.body.decode())}
    assert "/table" in links
    assert {get(link).status for link in links} == {200}
    assert read_problem(get(path)).code == "not_found"


def test_an_app_that_asks_for_nothing_gets_a_problem_even_if_it_accepts_html() -> None:
    assert read_problem(get("/v1/nothing", ("accept", "text/html, application/json"))).code == "not_found"


def test_no_other_file_is_served() -> None:
    assert read_problem(get("/static/docs.html")).code == "not_found"
    assert read_problem(get("/static/table.html")).code == "not_found"


def test_the_script_of_the_table_is_small() -> None:
    files = [gzip.compress(get(path).body) for path in ("/table", "/static/table.js", "/static/table.css")]
    assert sum(map(len, files)) < 80 * 1024
    assert read_problem(get("/static/redoc.js")).code == "not_found"


def test_the_document_is_served_as_it_is_committed() -> None:
    answer = get("/openapi.json")
    assert answer.body == encoded_document()
    assert get("/openapi.json", ("if-none-match", answer.headers["etag"])).status == 304


@pytest.mark.parametrize("shown", ["/", "/llms.txt"])
def test_a_command_that_is_shown_works_when_pasted(shown: str) -> None:
    page = unescape(get(shown, ("host", "cards.example:8080")).body.decode())
    found = re.search(r"curl -sS http://cards\.example:8080(\S+) -H '([^']*)' -d '([^']*)'", page)
    assert found
    path, header, body = found.groups()
    name, _, value = header.partition(": ")
    answer = post(path, body.encode(), (name.lower(), value))
    assert answer.status == 200
    assert re.sub(r"\s", "", answer.body.decode()) in re.sub(r"\s", "", page)


def test_a_language_model_is_told_how_a_deal_begins_and_where_to_read_on() -> None:
    text = get("/llms.txt", ("host", "cards.example:8080")).body.decode()
    assert text.startswith("# Catch the Ten\n\n> ")
    links = re.findall(r"\]\(http://cards\.example:8080(\S+)\)", text)
    assert "/openapi.json" in links
    assert {get(path).status for path in links} == {200}
    deal = re.search(r"POST\s+`(.*?)`\s+to\s+`(.*?)`", text)
    assert deal
    position = post(deal[2], deal[1].encode(), ("content-type", "application/json")).read(dict[str, Any])["position"]
    asked = msgspec.json.encode({"state": position["state"]})
    assert post("/v1/legal-moves", asked, ("content-type", "application/json")).status == 200


@pytest.mark.parametrize("host", ['"><script>', "a;rm", "$(id)", "a b", "`id`"])
def test_a_hostile_host_is_not_put_into_the_command(host: str) -> None:
    answer = get("/", ("host", host))
    assert host.encode() not in answer.body
    assert answer.status == 400 or b"curl -sS http://localhost:8000/v1/verdicts" in answer.body


@pytest.mark.parametrize("code", PROBLEM_KINDS)
def test_every_problem_has_a_page_of_its_own(code: str) -> None:
    page = get("/problems/" + code.replace("_", "-")).body.decode()
    assert f"<code>{code}</code>" in page
    assert f'href="problems/{code.replace("_", "-")}"' in get("/problems").body.decode()


def test_the_page_of_impossible_states_lists_every_fault() -> None:
    page = unescape(get("/problems/impossible-state").body.decode())
    assert all(f"<code>{code}</code>" in page and text in page for code, text in FAULTS.items())


def test_the_page_of_malformed_bodies_lists_every_fault_of_a_shape() -> None:
    page = unescape(get("/problems/invalid-body").body.decode())
    assert all(f"<code>{code}</code>" in page and text in page for code, text in SHAPE_FAULTS.items())


@pytest.mark.parametrize("code", PROBLEM_KINDS)
def test_the_page_of_a_problem_shows_its_example(code: ProblemCode) -> None:
    page = unescape(get("/problems/" + code.replace("_", "-")).body.decode())
    shown = re.search(r'<code class="language-json">(.*?)</code>', page, re.DOTALL)
    assert shown
    assert msgspec.json.decode(shown[1]) == read_examples().problems[code]


def test_the_printed_games_stand_beside_each_other_with_the_source_of_every_field() -> None:
    page = unescape(get("/rulesets").body.decode())
    for game in RULESETS.values():
        assert f'id="{game.id}"' in page
        assert f'<th scope="col"><a href="#{game.id}">{game.name}</a></th>' in page
        for field in Sources.__struct_fields__:
            source: Source = getattr(game.sources, field)
            part = page.partition(f'<section class="field" id="{field}">')[2].partition("</section>")[0]
            quoted = part.partition(f"<dt>{game.name}: ")[2].partition("</div>")[0]
            assert source.says in quoted
            assert source.where in quoted
            assert ("reading</span>" in quoted) == source.reading


def test_what_differs_from_most_of_the_printed_games_is_marked() -> None:
    page = get("/rulesets").body.decode()
    marked = dict(re.findall(r'<th scope="row"><a href="#(\w+)">.*?</th>(.*?)</tr>', page))
    assert marked["trump_rank"].count("<mark>Ace high</mark>") == 1
    assert marked["trump_rank"].count("<mark>") == 1
    assert marked["following"].count("<mark>") == 0
    assert marked["tables"].count("<mark>") == 0, "no two agree, so none of them is the odd one"


def test_there_is_no_page_for_a_problem_that_there_is_not() -> None:
    assert read_problem(get("/problems/illegal_play")).code == "not_found"


@pytest.mark.parametrize("path", [*PAGES[:7], *TYPES, "/openapi.json", "/v1/rulesets", "/livez", "/readyz"])
def test_head_tells_what_get_would(path: str) -> None:
    request_id = ("x-request-id", "the-same")
    shown, told = get(path, request_id), get(path, request_id, method="HEAD")
    assert (told.status, told.headers) == (shown.status, shown.headers)


def test_the_document_names_no_server_but_its_own() -> None:
    servers = msgspec.json.decode(get("/openapi.json").body)["servers"]
    assert [server["url"] for server in servers] == ["/"]


BROWSER: Final = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")


@pytest.mark.parametrize(
    ("path", "page"), [("/table/", "/table"), ("/problems/illegal-play/", "/problems/illegal-play")]
)
def test_a_browser_is_led_from_a_page_with_a_slash_at_its_end_to_the_page(path: str, page: str) -> None:
    answer = get(path, BROWSER)
    assert (answer.status, urljoin(path, answer.headers["location"])) == (308, page)
    assert read_problem(get(path)).code == "not_found"


@pytest.mark.parametrize("path", ["//table/", "/\\table/", "/v1/rulesets/", "/%74able/"])
def test_what_is_no_page_leads_a_browser_nowhere(path: str) -> None:
    assert get(path, BROWSER).status == 404


def test_every_word_that_people_look_for_leads_to_an_operation_of_the_reference() -> None:
    page = get("/docs").body.decode()
    found = dict(re.findall(r'<details class="operation" id="(\w+)"[^>]* data-sought="([^"]*)"', page))
    assert {word for word, operation in SOUGHT.items() if word not in found[operation].split()} == set()
    assert docs.SOUGHT.keys() <= found.keys()
