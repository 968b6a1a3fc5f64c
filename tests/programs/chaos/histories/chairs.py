"""Callers who play games through every failure: they race, retry, hang up, and note all answers.

They use every act at a table, sometimes with an old version or a void token. Some games have a time limit for moves,
and a seat that stays away until the computer has played for it.
"""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple
from uuid import UUID

from tests.programs.chaos.histories.feeds import APP_KEY
from tests.programs.chaos.histories.harmed import Harmed
from tests.programs.chaos.histories.history import Change, Content, History, Look, bare, read_content, read_view
from tests.reference import engine
from tests.support.games.client import Answer, Call, Client
from tests.support.games.player import SHORT, Player

CALLERS: Final = 3
"""Callers to a game, each at a process of its own to begin with."""
HANG_UP: Final = 0.02
"""Seconds at most after which a caller hangs up."""
LOOK: Final = 0.1
"""Seconds until a caller looks again whether the computer has played."""
LIMIT: Final = 5
"""Seconds that a seat has for a move in some of the games."""
AWAY: Final = 120.0
"""Seconds of absence after which another seat may hand a seat to the computer."""
LOOK_AWAY: Final = 1.0
"""Seconds until a caller who is absent looks again."""
DEAL: Final = 17.0
"""Seconds that the computer may take longer before it deals: it waits for entropy, and for players to change seats."""
GONE: Final = {404, 410}
PACK: Final = engine.pack("trebor", SHORT.players)
SIDES: Final = [[seat for seat in range(SHORT.players) if seat % SHORT.sides == side] for side in range(SHORT.sides)]


class Lost(Exception):
    """The game is not there: the store has lost it."""


class Wish(NamedTuple):
    """A call that changes a game, its wish, and the refusals that the game itself explains."""

    call: Call
    act: Content
    refusals: frozenset[str] = frozenset()


def read_first_seats(seen: Any) -> list[int]:
    """Read by seat where its token was at first. Releases before changes of seats do not say."""
    seating: Any = seen.get("seating")
    return list(range(SHORT.players)) if seating is None else seating["first_seats"]


class Chair:
    """One game after the other, each played by several callers."""

    def __init__(
        self, servers: Harmed, history: History, rng: Random, *, pause: float, limited: float, away: float
    ) -> None:
        self._servers = servers
        self._clients = [Client(servers.ports, turn) for turn in range(CALLERS)]
        self._looking = self._clients[0]
        self._history = history
        self._rng = rng
        self._pause = pause
        self._limited = limited
        self._leaves = away if limited else 0.0
        self._game = Player(self._clients[0], SHORT, rng, APP_KEY)
        self._opening = self._game.opening()
        self._seat = 0
        self._since = ("", 0.0)
        self._limit: int | None = None
        self._away: int | None = None
        self._first: list[int] = []
        self._etags: list[str] = []
        self._void: list[str] = []
        self._acts: Sequence[tuple[Callable[[Any, str], Wish | None], int]] = (
            (self._seating, 6),
            (self._standing_in, 3),
            (self._renewing, 4),
            (self._asking_back, 8),
            (self._stirring, 1),
            (self._resigning, 1),
        )

    @property
    def repeated(self) -> int:
        """How often a call was sent again because there was no answer."""
        return sum(len(client.failures) for client in self._clients)

    @property
    def path(self) -> str:
        """The path of the game."""
        return self._game.path

    def token(self, seat: int) -> str:
        """Return the token of a seat."""
        return self._game.tokens[seat]

    # ── Games ──

    async def sit_down(self) -> str:
        """Open a game, sending the request again now and then, and return its id."""
        rng = self._rng
        self._game = Player(self._clients[0], SHORT, rng, APP_KEY)
        self._limit = LIMIT if rng.random() < self._limited else None
        levels = rng.choices((None, "easy"), k=SHORT.players - 1)
        seats = [{}, *({"computer": level} for level in levels)]
        body: dict[str, Any] = {"rules": SHORT.rules, "seats": seats, "move_seconds": self._limit, "ttl": 3600}
        body |= {"take_back": rng.random() < 0.6, **(self._position() if rng.random() < 0.2 else {"sides": SIDES})}
        self._opening = self._game.opening()._replace(body=body)
        opened = await self._open(self._clients[0])
        if rng.random() < 0.5:
            await self._open(self._clients[1])
        self._game.take_tokens(opened)
        self._begin()
        return self._game.id

    def _position(self) -> dict[str, Any]:
        """Make a deal in play to open a game from."""
        dealer, cards = self._rng.randrange(SHORT.players), self._rng.randrange(6)
        state = engine.deal("trebor", SIDES, dealer, self._rng.sample(PACK, len(PACK)), 1, [3, 0])
        for _ in range(cards):
            state = engine.play(state, self._rng.choice(engine.legal_cards(state)))
        return {"state": state}

    def _begin(self) -> None:
        self._seat = 0
        self._etags, self._void = [], []
        self._first = list(range(SHORT.players))
        self._away = self._rng.randrange(SHORT.players) if self._limit and self._rng.random() < 0.7 else None

    async def _open(self, client: Client) -> dict[str, Any]:
        answer = await client.insist(self._opening)
        assert answer.status == 201, answer
        opened: dict[str, Any] = answer.json
        tokens = [opened["id"], *(seat["token"] for seat in opened["seats"]), opened["host_token"]]
        self._history.keyed[str(self._opening.key)].add(bare(" ".join(map(str, tokens))))
        return opened

    async def play(self, stop: asyncio.Event) -> str | None:
        """Play until the game is over, or there is to be an end. Return the next game of the same people, if any.

        Errors: Lost.
        """
        while not stop.is_set():
            seen = await self._look()
            phase = seen.json["phase"]
            if phase == "game_over":
                return await self._end(seen.headers["etag"])
            await (self._take_turn(seen) if phase == "playing" else self._deal(seen))
            await asyncio.sleep(self._rng.uniform(0, 2 * self._pause))
        for seat in range(SHORT.players):
            await self._leave_to_person(seat)
        return None

    def leave(self) -> None:
        """Close the connections."""
        for client in self._clients:
            client.leave()

    async def _end(self, etag: str) -> str | None:
        """Open the next game for the same people, or delete the game, or leave it."""
        chosen = self._rng.random()
        if chosen < 0.5:
            bearers = self._rng.choices((self._game.host, *self._game.tokens), k=self._rng.choice((1, 2, 3)))
            calls = [Call("POST", f"{self.path}/rematches", None, token) for token in bearers]
            answers = await self._race([Wish(call, ("rematch_opened",)) for call in calls])
            games = [answer.json["id"] for answer in answers if answer.status == 201]
            if games:
                self._game.id = games[-1]
                self._begin()
                return str(games[-1])
        elif chosen < 0.7:
            answer = await self._send(Call("DELETE", self.path, None, self._game.host), self._clients[0])
            assert answer.status in {204, *GONE}, answer
            self._history.deleted.add(self._game.id)
            client = self._rng.choice(self._clients)
            answer = await client.insist(Call("GET", self.path))
            is_current = self._history.lossless and self._servers.is_turned(client.port, client.asked_at)
            if answer.status not in GONE and is_current:
                self._history.wrong.append(f"shown after it was deleted: {self._game.id}")
        return None

    async def _look(self) -> Answer:
        """Look at the game as the seat whose turn it is."""
        while True:
            if self._rng.random() < 0.3:
                self._looking = self._rng.choice(self._clients)
            client = self._looking
            answer = await client.insist(Call("GET", self.path, token=self.token(self._seat)))
            if answer.status == 401 and answer.json["code"] == "unknown_token":  # a late copy of a call has renewed it
                await self._do(self._renew(self._seat, key=None), client)
                continue
            if answer.status in GONE:
                raise Lost
            assert answer.status == 200, answer
            self._see(answer)
            self._take_seats(read_first_seats(answer.json))
            self._note_look(answer, client)
            return answer

    def _note_look(self, answer: Answer, client: Client) -> None:
        seen = answer.json
        hand = seen["position"] and (seen["seat"], frozenset(seen["position"]["state"]["hands"][seen["seat"]]))
        is_current = self._servers.is_turned(client.port, client.asked_at)
        look = Look(self._game.id, seen["version"], client.asked_at, is_current, read_view(seen), hand)
        self._history.looks.append(look)

    # ── Turns ──

    async def _take_turn(self, seen: Answer) -> None:
        """Play a card for the seat that looked, if it is its turn, or do something else.

        Where changes were lost, callers come who have seen no others yet.
        """
        turn, etag = seen.json["position"]["turn"], seen.headers["etag"]
        computer = seen.json["seats"][turn]["computer"]
        lost = [each for each in self._etags if each != etag and each.split("-")[0] == etag.split("-")[0]]
        if lost and self._rng.random() < 0.5:
            for process, client in enumerate(self._clients):
                client.turn_to(process)  # one of them may remember what was lost
            await self._race([self._seating(seen.json, each) for each in lost[-1:] * CALLERS])
        elif self._rng.random() < (0.01 if computer else 0.12):  # any change lets a computer that has stopped go on
            await self._do_other(seen)
        elif computer and self._limit and self._rng.random() < 0.2:
            await self._leave_to_person(turn)
        elif computer:
            await self._wait_for_computer(etag, 0, LOOK)
        elif turn == self._away and seen.json["move_ends_at"]:
            await self._wait_for_computer(etag, LIMIT, LOOK_AWAY)
        else:
            await self._play_for(turn, seen)

    async def _play_for(self, turn: int, seen: Answer) -> None:
        """Play for the seat whose turn it is, once it has looked, or wait until another seat can act for it."""
        if turn != self._seat:
            self._seat = turn
        elif self._leaves and not self._limit and self._rng.random() < self._leaves:
            await asyncio.sleep(self._rng.uniform(AWAY / 2, 2 * AWAY))
            await self._do(self._stand_in_for(turn, seen.headers["etag"]), self._rng.choice(self._clients))
        else:
            await self._play(seen)

    async def _play(self, seen: Answer) -> None:
        legal, etag = seen.json["position"]["legal_cards"], seen.headers["etag"]
        wishes = [self._playing(self._rng.choice(legal), etag) for _ in range(self._rng.choice((1, 1, 1, CALLERS)))]
        await self._race(wishes)
        if self._rng.random() < 0.2:
            await self._do(wishes[0], self._rng.choice(self._clients))

    async def _do_other(self, seen: Answer) -> None:
        """Do something other than play: alone, beside another act, or with an old version."""
        makes, weights = zip(*self._acts, strict=True)
        etag, shown = seen.headers["etag"], seen.json
        chosen = self._rng.choices(makes, weights, k=self._rng.choice((1, 1, 2)))
        wishes = [wish for make in chosen if (wish := make(shown, etag)) is not None]
        wishes += [self._make_outdated(wish) for wish in wishes if self._rng.random() < 0.3]
        answers = await self._race(wishes)
        for wish in wishes:
            if wish.call.key is not None:
                await self._do(wish, self._rng.choice(self._clients))
        if any(answer.status == 200 for answer in answers) and wishes[0].act[0] == "back":
            await self._agree(shown)

    def _make_outdated(self, wish: Wish) -> Wish:
        """Make a wish of one who has seen an earlier version, or whose token is void."""
        call = wish.call
        if self._void and self._rng.random() < 0.5:
            return wish._replace(call=call._replace(token=self._rng.choice(self._void), key=None))
        return wish._replace(call=call._replace(version=call.version and self._rng.choice(self._etags[-4:])))

    async def _agree(self, shown: Any) -> None:
        """Let each other seat agree to the request, or not."""
        for seat in range(SHORT.players):
            if shown["seats"][seat]["computer"] is None and self._rng.random() < 0.8:
                etag = (await self._look()).headers["etag"]
                await self._do(self._back(seat, etag), self._rng.choice(self._clients))

    async def _deal(self, seen: Answer) -> None:
        """Deal, add entropy before that now and then, or leave it to the computer or to the end of the limit."""
        etag, dealer = seen.headers["etag"], seen.json["dealer"]
        moves = seen.json["phase"] == "to_deal" and self._rng.random() < 0.5
        if moves or self._rng.random() < 0.4:
            wish = self._changing_seats(etag) if moves else self._stirring(seen.json, etag)
            await self._do(wish, self._clients[0])
            again = await self._look()
            etag = again.headers["etag"]
            if moves or again.json["phase"] != seen.json["phase"]:
                return
        if seen.json["seats"][dealer]["computer"] and self._rng.random() < 0.9:
            await self._wait_for_computer(etag, DEAL, 3 * LOOK)
        elif self._away is not None and seen.json["move_ends_at"] and self._rng.random() < 0.9:
            await self._wait_for_computer(etag, LIMIT + DEAL, LOOK_AWAY)
        else:
            token = self._rng.choice((self._game.host, self.token(dealer)))
            token = token if etag == seen.headers["etag"] else self._game.host  # another may deal by now
            call = Call("POST", f"{self.path}/deals", {}, token, etag)
            await self._race([Wish(call, ("dealt",))] * self._rng.choice((1, 1, 2)))

    async def _wait_for_computer(self, etag: str, longer: float, pause: float) -> None:
        """Wait for the computer, which must have acted before it was calm for too long."""
        now = asyncio.get_running_loop().time()
        if self._since[0] != etag:
            self._since = (etag, now)
        waited = min(now - self._since[1], self._servers.calm_for())
        assert waited < longer + self._servers.patience, f"the computer does not go on in {self.path} at {etag}"
        await asyncio.sleep(pause)

    async def _leave_to_person(self, seat: int) -> None:
        """Take a seat back from the computer, once no other change comes in between."""
        answer: Answer | None = None
        while answer is None or answer.status == 412:
            etag = (await self._look()).headers["etag"]
            answer = await self._do(self._seat_by(seat, None, etag), self._rng.choice(self._clients))

    # ── Wishes ──

    def _playing(self, card: str, etag: str) -> Wish:
        call = Call("POST", f"{self.path}/plays", {"card": card}, self.token(self._seat), etag)
        return Wish(call, ("played", self._seat, card))

    def _seating(self, shown: Any, etag: str) -> Wish:
        seat = self._rng.choice((shown["position"]["turn"] or 0, self._rng.randrange(SHORT.players)))
        return self._seat_by(seat, None if shown["seats"][seat]["computer"] else "easy", etag)

    def _seat_by(self, seat: int, level: str | None, etag: str) -> Wish:
        method, body = ("DELETE", None) if level is None else ("PUT", {"level": level})
        call = Call(method, f"{self.path}/seats/{seat}/computer", body, self._game.host, etag)
        return Wish(call, ("seated", seat, level), frozenset({"impossible_request"}))

    def _standing_in(self, shown: Any, etag: str) -> Wish:
        return self._stand_in_for(self._rng.randrange(SHORT.players), etag)

    def _stand_in_for(self, seat: int, etag: str) -> Wish:
        by = self.token((seat + self._rng.randrange(1, SHORT.players)) % SHORT.players)
        call = Call("PUT", f"{self.path}/seats/{seat}/computer", {"level": "medium"}, by, etag)
        return Wish(call, ("seated", seat, "medium"), frozenset({"impossible_request", "not_away", "wrong_token"}))

    def _renewing(self, shown: Any, etag: str) -> Wish:
        key = str(UUID(int=self._rng.getrandbits(128))) if self._rng.random() < 0.7 else None
        return self._renew(self._rng.randrange(SHORT.players), key)

    def _renew(self, seat: int, key: str | None) -> Wish:
        by = self._game.host if key is None else self._rng.choice((self._game.host, self.token(seat)))
        body = {"name": f"Ann {self._rng.randrange(9)}"} if self._rng.random() < 0.5 else {}
        return Wish(Call("POST", f"{self.path}/seats/{seat}/tokens", body, by, key=key), ("token_renewed", seat))

    def _asking_back(self, shown: Any, etag: str) -> Wish | None:
        turn = shown["position"]["turn"]
        return self._back((turn or 0) - 1, etag) if shown["take_back"] and turn is not None else None

    def _back(self, seat: int, etag: str) -> Wish:
        seat %= SHORT.players
        call = Call("POST", f"{self.path}/take-backs", None, self.token(seat), etag)
        return Wish(call, ("back", seat), frozenset({"cannot_take_back"}))

    def _stirring(self, shown: Any, etag: str) -> Wish:
        seat, text = self._rng.randrange(SHORT.players), f"{self._rng.getrandbits(64):x}"
        call = Call("POST", f"{self.path}/entropy", {"entropy": text}, self.token(seat))
        return Wish(call, ("entropy_added", seat), frozenset({"entropy_given", "deal_not_over"}))

    def _changing_seats(self, etag: str) -> Wish:
        seats = self._rng.sample(range(SHORT.players), SHORT.players) if self._rng.random() < 0.5 else None
        by = self._rng.choice((self._game.host, self._rng.choice(self._game.tokens)))
        call = Call("POST", f"{self.path}/seatings", {"seats": seats}, by, etag)
        return Wish(call, ("seats_changed", *(seats or ())), frozenset({"wrong_token", "already_dealt"}))

    def _resigning(self, shown: Any, etag: str) -> Wish:
        seat = self._rng.randrange(SHORT.players)
        return Wish(Call("POST", f"{self.path}/resignations", {}, self.token(seat), etag), ("resigned", seat))

    # ── Calls ──

    async def _race(self, wishes: Sequence[Wish]) -> list[Answer]:
        """Send wishes at once, each from its own caller, and wait for all of them, even if one fails."""
        told = await asyncio.gather(*map(self._do, wishes, self._clients), return_exceptions=True)
        for failure in told:
            if isinstance(failure, BaseException):
                raise failure
        return [answer for answer in told if isinstance(answer, Answer)]

    async def _do(self, wish: Wish, client: Client) -> Answer:
        """Send a wish, perhaps repeatedly, and note the answers."""
        self._history.asked[self._game.id].add(wish.act)
        answer = await self._send(wish.call, client)
        self._note(wish, answer)
        return answer

    async def _send(self, call: Call, client: Client) -> Answer:
        """Send a call, perhaps hang up before it is answered, and send it until it is."""
        if self._rng.random() < 0.1:
            try:
                await client.ask_and_leave(call, self._rng.uniform(0, HANG_UP))
            except OSError:
                client.leave()
        return await client.insist(call)

    def _see(self, answer: Answer) -> None:
        if "etag" in answer.headers and answer.headers["etag"] not in self._etags:
            self._etags.append(answer.headers["etag"])

    def _note(self, wish: Wish, answer: Answer) -> None:
        """Write down what an answer to a change says."""
        self._see(answer)
        call, game, told, at = wish.call, self._game.id, answer.json, asyncio.get_running_loop().time()
        if answer.status == 201:
            self._history.acknowledged[Change(told["id"], "", told["version"], ("opened",), at=at)] = None
        elif answer.status == 200 and "seating" in told:
            self._take_seats(told["seating"]["first_seats"])
        elif answer.status == 200:
            if content := read_content(told["events"]):
                after, before = told["version"], (call.version or "").strip('"')
                self._history.acknowledged[Change(game, before, after, content, call.token or "", at)] = None
                self._require_as_asked(wish.act, content)
            if "token" in told:
                self._take_token(call, told)
        elif answer.status not in GONE and self._history.lossless:
            known = {"stale_version", "unknown_token", "game_over", *wish.refusals}
            if told["code"] not in known:
                self._history.wrong.append(f"refused: {call} in {game}: {told}")

    def _take_seats(self, first: list[int]) -> None:
        """Let the tokens move to the seats that they have now, by the seats that they had at first.

        A look may move them back: the store may have lost a change of seats.
        """
        tokens = dict(zip(self._first, self._game.tokens, strict=True))
        self._first, self._game.tokens = first, [tokens[seat] for seat in first]

    def _require_as_asked(self, act: Content, content: Content) -> None:
        if act[0] != "back" and content != act:
            self._history.wrong.append(f"answered with {content}, asked for {act}")

    def _take_token(self, call: Call, told: Any) -> None:
        seat, token = told["seat"], told["token"]
        if call.key is not None:
            self._history.keyed[f"{call.key} {call.token} {told['version']}"].add(bare(token))
        if bare(self.token(seat)) != bare(token):
            self._void.append(self.token(seat))
            self._game.tokens[seat] = token
