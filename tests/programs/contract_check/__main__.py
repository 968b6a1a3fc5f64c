"""Have client teams' tools read the OpenAPI document, and use what they make of it: `make contract-check`.

Clients of tools for language models, and those who follow workflows, are tried here, too.

Each tool has to end without an error and without a warning; as many run at once as there are cores. Those for Node are
left out where there is no npm, except in CI, and so are those where there is no Java, no Go or no curl; the Makefile
installs all others in environments of their own.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic, sleep
from types import MappingProxyType
from typing import Final

import httpx
import msgspec

from tests.api.openapi.evolution import list_evolved
from tests.api.openapi.reading import ARAZZO, COMMITTED, LAST_RELEASE, ROOT
from tests.programs.contract_check.examples import ask_for_all, list_answers
from tests.support.guard import guarded_group
from tests.support.http.server import serving

HERE: Final = Path(__file__).parent
PYTHON: Final = ROOT / ".venv-tools" / "bin"
NODE: Final = ROOT / ".node-clients"
WORK: Final = NODE / "generated"
"""Everything that is generated: inside the folder of the packages, in which Node looks for imports."""
OLDER: Final = WORK / "older"
"""The clients of the last release, which read today's answers and those of a later version."""
_TYPESCRIPT: Final = "openapi-typescript/types.ts", "openapi-typescript/root-types.ts"
_WARNING: Final = re.compile(r"⚠|\bWARN|Time limit reached")
_NOTHING: Final = re.compile("(?!)")
_JSON_ALONE: Final = re.compile(
    r"WARNING parsing (?:POST|PUT) \S+ within \w+\.\s+"
    r"Unsupported content type text/vnd\.catch-the-ten\.record\s+\{.*?^\}",
    re.DOTALL | re.MULTILINE,
)
"""The warning of openapi-python-client about a body that can be another format, too: it makes calls with JSON alone."""
_OF_OPENAPI_GENERATOR: Final = re.compile(
    r"^.*(?:OpenAPI 3\.1 support is still in beta|Failed to get the schema name: null|Ignoring complex example).*$",
    re.MULTILINE,
)
"""The words of openapi-generator on OpenAPI 3.1, `additionalProperties: false`, and examples that are objects."""
_UNKNOWN_NAME: Final = re.compile(r"package \S+ does not exist|cannot find symbol|does not override").search
_GO_PACKAGES: Final = Path("/usr/share/gocode")
"""Where Debian keeps packages for Go, such as golang-gopkg-validator.v2-dev."""
_WAIT: Final = 180.0
_LONGEST_COVERAGE: Final = 900
"""Seconds for all requests of the phase `coverage` of schemathesis; it takes three to six minutes."""


class Failed(Exception):
    """A tool found a fault; the message is its output."""


def main() -> int:
    """Run every check that there are tools for, and return the exit code: 0 if all passed."""
    prepare()
    missing = [program for program in CHECKS if not shutil.which(program)]
    for program in missing:
        print(f"not run, for want of {program}: {', '.join(CHECKS[program])}", file=sys.stderr)
    checks = dict(chain.from_iterable(CHECKS[program].items() for program in CHECKS if program not in missing))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = [*pool.map(_passes, checks, checks.values())]
    return int(not all(passed) or ("npm" in missing and "CI" in os.environ))


def _passes(name: str, check: Callable[[], None]) -> bool:
    began = monotonic()
    try:
        check()
    except Failed as exc:
        print(f"{name}: {exc}", file=sys.stderr)
        return False
    print(f"{name}: ok, {monotonic() - began:.0f} s", flush=True)
    return True


def prepare() -> None:
    """Lay out the document, the calls and the settings of the tools in a fresh folder."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(HERE / "calls", WORK / "calls")
    for name in ("orval.config.cjs", "spectral.yaml", "tsconfig.json"):
        shutil.copy(HERE / name, WORK)
    shutil.copy(COMMITTED, WORK)
    shutil.copy(ARAZZO, WORK)
    OLDER.mkdir()
    shutil.copy(LAST_RELEASE, OLDER / COMMITTED.name)
    answers = [{"type": name, "answer": answer} for name, answer in (*list_answers(), *list_evolved())]
    for folder in (WORK, OLDER):
        (folder / "answers.json").write_bytes(msgspec.json.encode(answers))


def run(
    *command: str | Path,
    silent: bool = False,
    expected: re.Pattern[str] = _NOTHING,
    folder: Path = WORK,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Run a tool; a silent one may say nothing at all, any other one no warning but those that are expected.

    Errors: Failed, with its output.
    """
    words = [str(word) for word in command]
    path = os.pathsep.join((str(PYTHON), str(NODE / "node_modules" / ".bin"), os.environ["PATH"]))
    surroundings = {**os.environ, "PATH": path, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "NO_COLOR": "1"}
    surroundings.update(settings)
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=surroundings, check=False)
    said = expected.sub("", done.stdout + done.stderr)
    if done.returncode or (silent and said.strip()) or _WARNING.search(said):
        raise Failed(f"{Path(words[0]).name} says:\n{said}")


def check_openapi_python_client(folder: Path = WORK) -> None:
    """Generate a client package, and read every example answer with its models."""
    tool = (PYTHON / "openapi-python-client", "generate", "--path", COMMITTED.name, "--meta", "none")
    run(*tool, "--output-path", "attrs_client", expected=_JSON_ALONE, folder=folder)
    run(PYTHON / "python", "-W", "error", HERE / "read_with_attrs.py", silent=True, folder=folder)


def check_datamodel_code_generator(folder: Path = WORK) -> None:
    """Generate types for msgspec and for pydantic, and decode every example answer with them."""
    made = {
        "msgspec": ("msgspec.Struct", "--use-msgspec-tagged-unions"),
        "pydantic": ("pydantic_v2.BaseModel", "--use-annotated"),
    }
    settings = ("--target-python-version", "3.11", "--formatters", "builtin")
    tool = (PYTHON / "python", "-W", "error", "-m", "datamodel_code_generator", "--input", COMMITTED.name)
    for library, (model, *options) in made.items():
        output = ("--output", f"{library}_models.py", "--output-model-type", model, *options)
        run(*tool, "--input-file-type", "openapi", *output, *settings, silent=True, folder=folder)
        run(PYTHON / "python", "-W", "error", HERE / f"read_with_{library}.py", silent=True, folder=folder)


def check_zod(folder: Path = WORK) -> None:
    """Generate zod schemas, compile them, and check every example answer with them."""
    run("openapi-ts", "-i", COMMITTED.name, "-o", "zod", "-p", "zod", "--silent", silent=True, folder=folder)
    modules = ("--module", "nodenext", "--moduleResolution", "nodenext", "--target", "es2022", "--skipLibCheck")
    run("tsc", "zod/zod.gen.ts", "--outDir", "zod", *modules, silent=True, folder=folder)
    shutil.copy(HERE / "read_with_zod.mjs", folder)
    run("node", "read_with_zod.mjs", silent=True, folder=folder)


def check_go(folder: Path = WORK) -> None:
    """Generate a client for Go, in which no type has the name of the constructor of another, and read with it.

    Its one dependency, a validator, comes from the module proxy or, if it is installed, from the package of Debian.
    """
    output = folder / "src" / "catchten"
    made = ("generate", "-i", COMMITTED.name, "-g", "go", "-o", output, "--global-property", "apiTests=false")
    run(PYTHON / "openapi-generator-cli", *made, expected=_OF_OPENAPI_GENERATOR, folder=folder)
    sources = "".join(path.read_text() for path in output.glob("*.go"))
    names = Counter(re.findall(r"^(?:func|type) (\w+)", sources, re.MULTILINE))
    if twice := [name for name, count in names.items() if count > 1]:
        raise Failed(f"Go has these names twice: {', '.join(twice)}")
    shutil.rmtree(output / "test", ignore_errors=True)
    types = dict.fromkeys(name for name, _ in list_answers())
    table = "".join(f'"{name}": func() any {{ return new({name}) }},\n' for name in types)
    (output / "read_test.go").write_text((HERE / "read_with_go.txt").read_text().replace("TYPES", table))
    packaged = (_GO_PACKAGES / "src" / "gopkg.in" / "validator.v2").exists()
    packages = {"GO111MODULE": "off", "GOPATH": os.pathsep.join((str(folder), str(_GO_PACKAGES)))}
    run("go", "test", ".", folder=output, settings=packages if packaged else {"GOFLAGS": "-mod=mod"})


def check_evolution() -> None:
    """Have the clients of the last release read today's answers, and those of a version that nobody has written yet."""
    for check in (check_openapi_python_client, check_datamodel_code_generator, check_zod, check_go):
        check(OLDER)


def check_mcp() -> None:
    """Have the official client of the Model Context Protocol call tools, in its newest version and in an older one."""
    with serving() as server:
        address = f"http://127.0.0.1:{server.port}/mcp"
        run(PYTHON / "python", "-W", "error", HERE / "call_tools.py", address, silent=True)


def check_schemathesis(document: str, *options: str) -> None:
    """Ask a service what the document allows, and what not, without our hooks, as an outside team does.

    The phase `coverage`, over 80,000 requests, takes minutes; where it is not done in time, that is a failure. It takes
    every method that is not declared for unknown, so it reads OpenAPI 3.2, which can declare QUERY. One worker,
    because Python 3.11 reads source in several threads with a SystemError.
    """
    tool = (Path(sys.executable).with_name("st"), f"--config-file={HERE / 'schemathesis.toml'}", "run")
    with serving() as server:
        address = f"http://127.0.0.1:{server.port}/{document}"
        run(*tool, address, "--no-color", "--warnings=off", *options)


def check_typescript() -> None:
    """Generate types and clients, and compile calls with all of them, strictly."""
    types, root_types = _TYPESCRIPT
    run("openapi-typescript", COMMITTED.name, "-o", types)
    root = ("--root-types", "--root-types-no-schema-prefix", "--enum")
    run("openapi-typescript", COMMITTED.name, *root, "-o", root_types)
    run("openapi-ts", "-i", COMMITTED.name, "-o", "hey-api", "--silent", silent=True)
    run("orval", "--config", "orval.config.cjs")
    run("tsc", "-p", "tsconfig.json", silent=True)


def check_redocly() -> None:
    """Lint the document with the strict rules of Redocly, which take warnings for errors."""
    run("redocly", "lint", COMMITTED.name, "--extends", "recommended-strict")


def check_arazzo() -> None:
    """Lint the workflows, and follow each step of them: every answer has to be what the document says."""
    run("redocly", "lint", ARAZZO.name, "--extends", "recommended-strict")
    with serving() as server:
        server_option = ("--server", f"service=http://127.0.0.1:{server.port}")
        run("redocly", "respect", ARAZZO.name, *server_option, "--execution-timeout=60000")


def check_spectral() -> None:
    """Lint the document with the rules of Spectral for OpenAPI; a hint is a failure."""
    run("spectral", "lint", COMMITTED.name, "--ruleset", "spectral.yaml", "--fail-severity", "hint")


def check_prism() -> None:
    """Have Prism answer a request for every example of an answer, also of a stream."""
    asked = list(ask_for_all())
    with _mocking() as client:
        for example in asked:
            body = {} if example.body is None else {"json": example.body}
            answer = client.request(example.method, example.path, headers=example.headers, **body)
            read = answer.text if isinstance(example.answer, str) else answer.json()
            if (answer.status_code, read) != (example.status, example.answer):
                raise Failed(f"{example.name} is answered with {answer.status_code}: {answer.text[:500]}")


@contextmanager
def _mocking() -> Generator[httpx.Client]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [str(NODE / "node_modules" / ".bin" / "prism"), "mock", COMMITTED.name, "--port", str(port)]
    process = subprocess.Popen(
        words, cwd=WORK, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=guarded_group()
    )
    with process, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        try:
            _wait_for(client)
            yield client
        finally:
            process.terminate()


def _wait_for(client: httpx.Client) -> None:
    until = monotonic() + _WAIT
    while True:
        try:
            client.get("/livez")
        except httpx.TransportError as exc:
            if monotonic() > until:
                raise Failed(f"prism does not listen: {exc}") from exc
            sleep(0.2)
        else:
            return


def check_openapi_generator(language: str) -> None:
    """Generate a client for a language.

    The clients for C# and Kotlin are not compiled. Debian's compilers are too old for them (Mono reads C# 7; Kotlin 1.3
    has no `entries` and no `lowercase`), and it has no Moshi, which the one for Kotlin is built on.
    """
    made = ("generate", "-i", COMMITTED.name, "-g", language, "-o", f"openapi-generator-{language}")
    run(PYTHON / "openapi-generator-cli", *made, expected=_OF_OPENAPI_GENERATOR)


def check_generated_java() -> None:
    """Generate clients for Java with two libraries, and have the compiler read all of both.

    Debian has not all the packages that they import, so a name that is not found is no fault here.
    """
    for library, more in (("native", ("--schema-mappings", "Hand=Object")), ("okhttp-gson", ())):
        folder = WORK / f"openapi-generator-{library}"
        options = ("-i", COMMITTED.name, "-g", "java", "--library", library, *more, "-o", folder)
        run(PYTHON / "openapi-generator-cli", "generate", *options, expected=_OF_OPENAPI_GENERATOR)
        sources = sorted(str(path) for path in (folder / "src" / "main").rglob("*.java"))
        command = ["javac", "-proc:none", "-implicit:none", "-Xmaxerrs", "0", "-d", str(folder / "read"), *sources]
        told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=WORK).stderr
        faults = [line for line in re.findall(r"^.*: error: .*$", told, re.MULTILINE) if not _UNKNOWN_NAME(line)]
        if faults or not sources:
            raise Failed("\n".join(faults[:20]) or "nothing was generated")


def check_java() -> None:
    """Have the HTTP client of the JDK, which offers HTTP/2, ask a question by POST and by QUERY."""
    with serving() as server:
        run("java", WORK / "calls" / "Ask.java", f"http://127.0.0.1:{server.port}", silent=True)


def check_curl() -> None:
    """Have curl ask a question and offer HTTP/2."""
    question = '{"trick": {"trump": "H", "leader": 0, "players": 4, "cards": ["AS", "TH", "6S", "JH"]}}'
    with serving() as server:
        address = f"http://127.0.0.1:{server.port}/v1/trick-winners"
        asked = ("-d", question, "-H", "Content-Type: application/json", "-o", os.devnull)
        run("curl", "-sS", "--fail", "--http2", address, *asked, silent=True)


CHECKS: Final[dict[str, dict[str, Callable[[], None]]]] = {
    sys.executable: {
        "schemathesis, coverage": partial(
            check_schemathesis, "openapi-3.2.json", "--phases=coverage", f"--max-time={_LONGEST_COVERAGE}"
        ),
        "schemathesis": partial(check_schemathesis, "openapi.json", "--phases=examples,fuzzing,stateful"),
        "openapi-python-client": check_openapi_python_client,
        "datamodel-code-generator": check_datamodel_code_generator,
        "mcp": check_mcp,
    },
    "npm": {
        "openapi-typescript, openapi-fetch, hey-api, orval with zod": check_typescript,
        "hey-api with zod": check_zod,
        "Redocly": check_redocly,
        "Redocly Respect": check_arazzo,
        "Spectral": check_spectral,
        "Prism": check_prism,
    },
    "java": {
        "java.net.http": check_java,
        "openapi-generator for Java, read by javac": check_generated_java,
        "openapi-generator for C#": partial(check_openapi_generator, "csharp"),
        "openapi-generator for Kotlin": partial(check_openapi_generator, "kotlin"),
    },
    "go": {"openapi-generator for Go": check_go, "clients of the last release": check_evolution},
    "curl": {"curl --http2": check_curl},
}
"""The checks, by the program without which they are left out; schemathesis takes longest, so it begins first."""

if __name__ == "__main__":
    sys.exit(main())
