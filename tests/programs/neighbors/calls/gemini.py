"""Convert every tool of tools.json as Gemini's SDK does, with google-genai in PYTHONPATH."""

import json
import re
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

converter: Any = import_module("google.genai._mcp_utils")
tools = [SimpleNamespace(**tool) for tool in json.loads(Path("tools.json").read_text(encoding="utf-8"))]
declared = [function for tool in converter.mcp_to_gemini_tools(tools) for function in tool.function_declarations]
for function, tool in zip(declared, tools, strict=True):
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}", function.name), function.name
    assert function.description == tool.description
    assert {*(function.parameters.properties or {})} == {*tool.inputSchema["properties"]}, function.name
