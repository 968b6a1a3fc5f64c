"""Read every example answer with the client of openapi-python-client, and play a card if there is a service.."""

import json
import re
import sys
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

client: Any = import_module("client")
models: Any = import_module("client.models")
for path in Path("client/api").rglob("*.py"):
    import_module(".".join(path.with_suffix("").parts))

# The client writes +00:00 in place of Z, and microseconds.
TIME = re.compile(r'"(\d{4}-\d\d-\d\dT[\d:.]+Z)"')
text = Path("answers.json").read_text(encoding="utf-8")
examples: list[dict[str, Any]] = json.loads(
    TIME.sub(lambda found: f'"{datetime.fromisoformat(found[1]).isoformat()}"', text)
)
for example in examples:
    read: Any = getattr(models, example["type"]).from_dict(example["answer"])
    assert read.to_dict() == example["answer"], example["type"]
print(f"{len(examples)} answers read")


def play(url: str) -> None:
    """Open a game of two, deal, and play the first legal card."""
    games: Any = import_module("client.api.live_games")
    setup = models.GameSetup(rules=models.PrintedRulesetId.GAMERULES, players=2, first_dealer=1)
    with client.Client(base_url=url) as anybody:
        opened = games.open_game.sync(client=anybody, body=setup)
    first, second = (client.AuthenticatedClient(base_url=url, token=seat.token) for seat in opened.seats)
    with first, second:
        _play(games, opened, first, second)


def _play(games: Any, opened: Any, first: Any, second: Any) -> None:
    dealt = games.deal_next.sync(opened.id, client=second, body=models.DealSetup(), if_match=f'"{opened.version}"')
    seen = games.get_game.sync(opened.id, client=first)
    card = seen.position.legal_cards[0]
    made = models.NewPlay(card=card)
    played = games.play_card.sync(opened.id, client=first, body=made, if_match=f'"{dealt.version}"')
    assert played.position.state.trick == [card]
    stale = games.play_card.sync(opened.id, client=first, body=made, if_match=f'"{opened.version}"')
    assert stale.code == "stale_version"


if len(sys.argv) > 1:
    play(sys.argv[1])
