"""Adjudicate a quarrel as an agent does, with the official client of MCP, in its newest version and in an older one.

To be run in the environment of the tools, with the address of the tools of a service.
"""

import asyncio
import sys
from importlib import import_module
from typing import Any, Final

Client: Any = import_module("mcp").Client
VERSIONS: Final = {"auto": "2026-07-28", "legacy": "2025-11-25"}
"""The version of the protocol that each mode of the client comes to."""
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


async def adjudicate(url: str, mode: str) -> None:
    """Ask who takes a trick, who revoked, and what was illegal about it; and mend a call that was refused."""
    async with Client(url, mode=mode) as client:
        assert client.protocol_version == VERSIONS[mode]
        assert client.instructions
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"trick_winners", "adjudications", "open_game", "play_card"} <= tools
        trick = {"trump": "H", "leader": 0, "players": 4, "cards": ["AS", "10H", "6S", "JH"]}
        refused = await client.call_tool("trick_winners", {"trick": trick})
        assert refused.is_error
        (fault,) = told(refused)["errors"]
        assert (fault["pointer"], '"TH"' in fault["detail"]) == ("/trick/cards/1", True)
        trick["cards"] = ["AS", "TH", "6S", "JH"]
        assert told(await client.call_tool("trick_winners", {"trick": trick}))["seat"] == 3
        (found,) = told(await client.call_tool("adjudications", RECORD))["irregularities"]
        assert found["verdict"]["legal_cards"] == ["AC", "TC"]
        await play(client)


async def play(client: Any) -> None:
    """Open a game, and see it as a seat that is dealt its hand."""
    opened = told(await client.call_tool("open_game", {"rules": "gamerules", "players": 2, "first_dealer": 1}))
    game, (first, second) = {"game_id": opened["id"]}, [seat["token"] for seat in opened["seats"]]
    dealt = told(await client.call_tool("deal_next", {**game, "token": second, "version": opened["version"]}))
    seen = told(await client.call_tool("get_game", {**game, "token": first}))
    card = seen["position"]["legal_cards"][0]
    played = await client.call_tool("play_card", {**game, "token": first, "version": dealt["version"], "card": card})
    assert told(played)["position"]["state"]["trick"] == [card]
    stale = await client.call_tool("play_card", {**game, "token": first, "version": opened["version"], "card": card})
    assert (stale.is_error, told(stale)["code"]) == (True, "stale_version")


def told(result: Any) -> Any:
    """Return what a tool answered."""
    return result.structured_content


if __name__ == "__main__":
    for each in VERSIONS:
        asyncio.run(adjudicate(sys.argv[1], each))
