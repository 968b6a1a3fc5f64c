"""Tools for language models: the official SDKs of the protocol, and the limits that two vendors publish."""

import re
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from service.api.mcp.endpoint import TOOLSETS
from tests.api.openapi.reading import parts
from tests.programs.neighbors.rows import Result, Row
from tests.programs.neighbors.tools import find, get_from_npm, get_from_pypi, run
from tests.support.http.client import ask
from tests.support.http.server import serving
from tests.support.http.tools import read_result, write_message

CALLS: Final = Path(__file__).parent / "calls"
PYTHON_SDKS: Final = {
    "2026-07-28": ("mcp==2.3.0",),
    "2025-11-25": ("mcp==2.3.0",),
    "2025-06-18": ("mcp==1.15.0", "pydantic==2.11.10"),
    "2025-03-26": ("mcp==1.9.4", "pydantic==2.11.10"),
}
"""By version of the protocol: an SDK that speaks it, the older ones with the pydantic of their time."""
NODE_SDKS: Final = {
    "2026-07-28": "@modelcontextprotocol/client@2.4.0",
    "2025-11-25": "@modelcontextprotocol/sdk@1.32.2",
    "2025-06-18": "@modelcontextprotocol/sdk@1.17.5",
    "2025-03-26": "@modelcontextprotocol/sdk@1.11.5",
}
"""The same for TypeScript."""
_OLDER_MODULES: Final = ("client/index.js", "client/streamableHttp.js", "types.js")
"""What is imported of an SDK of version 1; version 2 is one module."""
GEMINI: Final = "google-genai==3.3.0"
MOST_TOOLS: Final = 128
"""Tools in one request to OpenAI."""
MOST_CHARACTERS: Final = 1024
"""Characters of a description at OpenAI."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
_NOT_AT_THE_TOP: Final = frozenset({"anyOf", "oneOf", "allOf", "enum", "not"})
"""Keywords that OpenAI refuses at the top of the parameters of a function."""


def _call_from_python(version: str, folder: Path) -> list[Result]:
    """Call tools in a version of the protocol with the SDK for Python."""
    path = {"PYTHONPATH": str(get_from_pypi(*PYTHON_SDKS[version]))}
    with _serving_tools() as url:
        run(sys.executable, CALLS / "agent.py", url, version, folder=folder, settings=path)
    return [Result("questions, a live game, resources")]


def _call_from_node(version: str, folder: Path) -> list[Result]:
    """Call tools in a version of the protocol with the SDK for TypeScript."""
    packages = get_from_npm(NODE_SDKS[version]) / "node_modules" / "@modelcontextprotocol"
    older = [packages / "sdk" / "dist" / "esm" / name for name in _OLDER_MODULES]
    modules = older if older[0].exists() else [packages / "client" / "dist" / "index.mjs"]
    with _serving_tools() as url:
        run(find("node"), CALLS / "agent.mjs", url, version, *modules, folder=folder)
    return [Result("questions, a live game, resources")]


@contextmanager
def _serving_tools() -> Generator[str]:
    """Serve until the end, and yield the address of the tools."""
    with serving() as server:
        yield f"http://127.0.0.1:{server.port}/mcp"


def _list_tools() -> dict[str, list[dict[str, Any]]]:
    """Return the tools of each path."""
    asked = {path: replace(write_message("tools/list"), path=path) for path in TOOLSETS}
    return {path: read_result(ask(request))["tools"] for path, request in asked.items()}


def _keep_limits_of_openai(_: Path) -> list[Result]:
    """Hold the tools of every path against the limits that OpenAI publishes for functions."""
    lists = _list_tools()
    faults = [f"{path}: {len(tools)} tools" for path, tools in lists.items() if len(tools) > MOST_TOOLS]
    tools = {tool["name"]: tool for listed in lists.values() for tool in listed}
    faults += [f"{name}: {fault}" for name, tool in tools.items() for fault in list_faults(tool)]
    return [Result(f"names, descriptions and schemas of {len(tools)} tools", faults)]


def list_faults(tool: dict[str, Any]) -> Iterator[str]:
    if not _NAME(tool["name"]):
        yield "name"
    schema = tool["inputSchema"]
    if schema["type"] != "object" or schema.keys() & _NOT_AT_THE_TOP:
        yield "no plain object"
    for part in parts(tool):
        if len(str(part.get("description", ""))) > MOST_CHARACTERS:
            yield "description"
        if part.get("type") == "array" and not part.keys() & {"items", "prefixItems"}:
            yield "array without items"


def _convert_for_gemini(folder: Path) -> list[Result]:
    """Convert every tool with the SDK for Gemini, as it does when it is given a session."""
    path = {"PYTHONPATH": str(get_from_pypi(GEMINI))}
    tools = [*{tool["name"]: tool for listed in _list_tools().values() for tool in listed}.values()]
    (folder / "tools.json").write_bytes(msgspec.json.encode(tools))
    run(sys.executable, CALLS / "gemini.py", folder=folder, settings=path)
    return [Result(f"{len(tools)} tools converted")]


AGENTS: Final = (
    *(
        Row(f"MCP {version}, Python", partial(str, sdk[0].replace("==", " ")), partial(_call_from_python, version))
        for version, sdk in PYTHON_SDKS.items()
    ),
    *(
        Row(f"MCP {version}, TypeScript", partial(str, " ".join(sdk.rsplit("@", 1))), partial(_call_from_node, version))
        for version, sdk in NODE_SDKS.items()
    ),
    Row("OpenAI", partial(str, "published limits for functions"), _keep_limits_of_openai),
    Row("Gemini", partial(str, GEMINI.replace("==", " ")), _convert_for_gemini),
)
