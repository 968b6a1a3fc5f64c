"""Adjudicate a quarrel and play a card as an agent does: agent.py URL VERSION.

The official SDK is in PYTHONPATH. Its newest client is `mcp.Client`; an older SDK has a session over a transport.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from importlib import import_module
from typing import Any, Final

RECORD: Final = {
    "rules": "take-ten",
    "sides": [[0], [1]],
    "deals": [
        {
            "dealer": 1,
            "turn_up": "8S",
            "hands": [10, ["JS", "AS", "QS", "8S", "7S", "AH", "AC", "TC", "QD", "8D"]],
            "plays": [
                {"seat": 0, "card": "KS"},
                {"seat": 1, "card": "7S"},
                {"seat": 0, "card": "6C"},
                {"seat": 1, "card": "8D"},
            ],
        }
    ],
}
"""Seat 1 holds clubs, and has thrown a diamond on a club."""


async def connect(stack: AsyncExitStack, url: str, version: str) -> Any:
    """Return a client that speaks a version of the protocol."""
    mcp: Any = import_module("mcp")
    if hasattr(mcp, "Client"):
        mode = "auto" if version == "2026-07-28" else "legacy"
        client: Any = await stack.enter_async_context(mcp.Client(url, mode=mode))
        assert client.protocol_version == version, client.protocol_version
        return client
    transport: Any = import_module("mcp.client.streamable_http")
    reader, writer, _ = await stack.enter_async_context(transport.streamablehttp_client(url))
    session: Any = await stack.enter_async_context(mcp.ClientSession(reader, writer))
    begun = await session.initialize()
    assert begun.protocolVersion == version, begun.protocolVersion
    return session


async def main(url: str, version: str) -> None:
    """Ask who takes a trick, who revoked, and why; and correct a refused call."""
    async with AsyncExitStack() as stack:
        client = await connect(stack, url, version)
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"trick_winners", "adjudications", "open_game", "play_card"} <= names
        trick = {"trump": "H", "leader": 0, "players": 4, "cards": ["AS", "10H", "6S", "JH"]}
        (fault,) = (await call(client, "trick_winners", trick=trick))["errors"]
        assert (fault["pointer"], '"TH"' in fault["detail"]) == ("/trick/cards/1", True)
        trick["cards"] = ["AS", "TH", "6S", "JH"]
        assert (await call(client, "trick_winners", trick=trick))["seat"] == 3
        (found,) = (await call(client, "adjudications", **RECORD))["irregularities"]
        assert found["verdict"]["legal_cards"] == ["AC", "TC"]
        await play(client)
        assert len((await client.list_resources()).resources) > 0


async def play(client: Any) -> None:
    """Open a game, and see it as a seat that is dealt its hand."""
    opened = await call(client, "open_game", rules="gamerules", players=2, first_dealer=1)
    game, (first, second) = {"game_id": opened["id"]}, [seat["token"] for seat in opened["seats"]]
    dealt = await call(client, "deal_next", **game, token=second, version=opened["version"])
    seen = await call(client, "get_game", **game, token=first)
    card = seen["position"]["legal_cards"][0]
    played = await call(client, "play_card", **game, token=first, version=dealt["version"], card=card)
    assert played["position"]["state"]["trick"] == [card]
    stale = await call(client, "play_card", **game, token=first, version=opened["version"], card=card)
    assert stale["code"] == "stale_version"


async def call(client: Any, name: str, **arguments: Any) -> Any:
    """Return a tool's answer: a text in every version."""
    (content,) = (await client.call_tool(name, arguments)).content
    return json.loads(content.text)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
