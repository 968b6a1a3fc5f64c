import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  ask,
  type Card,
  type Client,
  ConnectionError,
  createClient,
  type Game,
  isProblem,
  joinGame,
  type OpenedGame,
  openGame,
  sortCards,
  trickOf,
} from "../src/index.ts";
import { numberOf } from "../src/sight.ts";
import { checkGame } from "./support/check.ts";
import { playSeat } from "./support/player.ts";
import { Service } from "./support/service.ts";

let service: Service;
let client: Client;
let opened: OpenedGame;
let host: Game;
let seats: Game[];
/** The number of answers to changes that are lost, after the service has given them. */
let answersToLose: number;

before(async () => {
  service = await Service.start();
  const fetch = async (request: Request) => {
    const answer = await globalThis.fetch(request);
    if (request.method !== "POST" || answersToLose === 0) return answer;
    answersToLose -= 1;
    throw new TypeError("fetch failed");
  };
  client = createClient({ baseUrl: service.baseUrl, fetch });
});
after(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  answersToLose = 0;
  opened = await openGame(client, {
    rules: "trebor",
    players: 4,
    first_dealer: 3,
    seats: [{ name: "Ann" }, { name: "Bob" }, {}, {}],
  });
  host = await join(opened.host_token);
  seats = await Promise.all(opened.seats.map(({ token }) => join(token)));
});

function join(token?: string): Promise<Game> {
  return joinGame(client, { id: opened.id, token });
}

/** Joins with the token of a seat by a client that gets no answers while `isLost` says so of a request. */
function joinBadly(token: string | undefined, isLost: (request: Request) => boolean): Promise<Game> {
  const fetch = async (request: Request) => {
    const answer = await globalThis.fetch(request);
    if (isLost(request)) throw new TypeError("fetch failed");
    return answer;
  };
  return joinGame(createClient({ baseUrl: service.baseUrl, fetch, timeout: 1500 }), { id: opened.id, token });
}

function seat(number: number): Game {
  const game = seats[number];
  assert(game);
  return game;
}

const first = (cards: readonly Card[]): Card => cards[0] ?? assert.fail("no card");

/** Deals, and lets every seat read the game. */
async function deal(): Promise<void> {
  await host.deal();
  await Promise.all(seats.map((game) => game.refresh()));
}

test("four seats play a whole game, each following it", async () => {
  const reports = await Promise.all(
    opened.seats.map(({ token }) => playSeat(client, { id: opened.id, token }, 20_000)),
  );
  await checkGame(service.baseUrl, opened, reports);
});

test("each update, and each answer, shows the game as the service shows it then", async () => {
  const updates = (await join(opened.seats[1]?.token)).changes();
  await updates.next();
  const compare = async () => {
    const { value } = await updates.next();
    assert.deepEqual(value?.state, (await join(opened.seats[1]?.token)).state);
  };
  await seat(2).addEntropy("mine");
  await compare();
  await seat(3).seatComputer("easy");
  await compare();
  await seat(3).takeSeatBack();
  await compare();
  await seat(3).deal();
  await compare();
  for (;;) {
    await Promise.all(seats.map((game) => game.refresh()));
    const game = seats.find(({ isMyTurn }) => isMyTurn);
    if (!game) break;
    await game.play(first(game.legalCards));
    await compare();
    assert.deepEqual(game.state, (await join(game.token)).state);
  }
  if (seat(0).state.phase !== "game_over") {
    await seat(0).resign();
    await compare();
  }
  assert((await updates.next()).done);
});

test("a seat sees its own cards, and knows when it is to play", async () => {
  assert.deepEqual([host.seat, seat(2).seat, (await join()).seat], [null, 2, null]);
  assert.deepEqual([seat(0).hand, seat(0).legalCards, seat(0).isMyTurn], [[], [], false]);
  assert.deepEqual(
    seats.map(({ isMyDeal }) => isMyDeal),
    [false, false, false, true],
  );
  await deal();
  for (const game of seats) {
    assert.equal(game.hand.length, 9);
    assert.deepEqual(sortCards(game.hand.toReversed(), game.state.position?.trump), game.hand);
    assert.equal(game.isMyTurn, game.seat === 0);
    assert.equal(game.legalCards.length > 0, game.seat === 0);
    assert.deepEqual([game.id, game.isMyDeal], [opened.id, false]);
  }
  assert.deepEqual((await join()).hand, []);
});

test("the state shows who is present, and no update comes of it", async () => {
  const watcher = await join();
  const told: (readonly number[])[] = [];
  let tell = () => {};
  const onPresence = (present: readonly number[]) => {
    told.push(present);
    tell();
  };
  const untilTold = () => new Promise<void>((resolve) => (tell = resolve));
  const updates = watcher.changes({ onPresence });
  await updates.next();
  const next = updates.next();
  const leave = new AbortController();
  const entered = untilTold();
  const followed = seat(2).changes({ signal: leave.signal });
  await followed.next();
  followed.next().catch(() => undefined);
  await entered;
  assert.deepEqual(
    watcher.state.seats.map(({ present }) => present),
    [false, false, true, false],
  );
  const left = untilTold();
  leave.abort();
  await left;
  assert(watcher.state.seats.every(({ present }) => !present));
  await deal();
  const { value } = await next;
  assert.deepEqual([told, value?.events.map(({ type }) => type)], [[[2], []], ["cards_dealt"]]);
});

test("a game from a position goes on from there, and its shuffles from the next deal", async () => {
  const { position } = await ask(client, "deals", { rules: "french-whist", players: 3, seed: "arran" });
  const { id, host_token, seats } = await openGame(client, { rules: "french-whist", state: position.state });
  const host = await joinGame(client, { id, token: host_token });
  assert.deepEqual([host.state.from_position, host.state.phase], [true, "playing"]);
  const players = await Promise.all(seats.map(({ token }) => joinGame(client, { id, token })));
  assert.deepEqual(
    players.map(({ hand }) => hand.length),
    [6, 6, 6],
  );
  while (host.state.phase === "playing") {
    const player = players[host.state.position?.turn ?? 0] ?? assert.fail();
    await player.refresh();
    await player.play(first(player.legalCards));
    await host.refresh();
  }
  await host.deal();
  assert.deepEqual(
    host.state.shuffles.map(({ deal }) => deal),
    [2, 3],
  );
  assert.deepEqual(host.state, await host.refresh());
  assert.equal((await host.record()).deals[0]?.proof, null);
});

test("a play whose answer is lost is made once, and answered as it was", async () => {
  await deal();
  answersToLose = 2;
  const change = await seat(0).play(first(seat(0).legalCards));
  assert.equal(numberOf(change.version), 3);
  assert.equal(answersToLose, 0);
  assert.deepEqual(seat(0).state, (await join(opened.seats[0]?.token)).state);
  assert.equal(seat(0).hand.length, 8);
  const { state } = change.position ?? assert.fail();
  assert.deepEqual(trickOf(state), [{ seat: 0, card: state.trick[0] }]);
});

test("opening, dealing, entropy, renewal and deletion whose answers are lost are made once, too", async () => {
  answersToLose = 1;
  opened = await openGame(client, { rules: "trebor", players: 4 });
  host = await join(opened.host_token);
  answersToLose = 1;
  assert.equal(numberOf((await (await join(opened.seats[0]?.token)).addEntropy()).version), 2);
  answersToLose = 1;
  assert.equal(numberOf((await host.deal()).version), 3);
  const game = await join(opened.seats[0]?.token);
  answersToLose = 1;
  assert.equal(await game.renewToken(), game.token);
  assert.equal(numberOf(game.state.version), 4);
  const fetch = async (request: Request) => {
    const answer = await globalThis.fetch(request);
    if (request.method !== "DELETE" || answer.status !== 204) return answer;
    throw new TypeError("fetch failed");
  };
  const flaky = createClient({ baseUrl: service.baseUrl, fetch });
  await (await joinGame(flaky, { id: opened.id, token: opened.host_token })).delete();
  await assert.rejects(game.refresh(), (error) => isProblem(error, "game_gone"));
});

test("an illegal card is refused with the verdict, and the game stays as it is", async () => {
  await deal();
  const before = seat(0).state;
  const foreign = first(seat(1).hand);
  await assert.rejects(seat(0).play(foreign), (error) => {
    assert(isProblem(error, "illegal_play"));
    assert.equal(error.problem.verdict.reason, "not_in_hand");
    return true;
  });
  assert.equal(seat(0).state, before);
  await assert.rejects(seat(1).play(foreign), (error) => isProblem(error, "not_your_turn") && error.problem.turn === 0);
});

test("a play on a version that others have left as it was is made of the newest", async () => {
  await deal();
  await seat(2).renewToken();
  await seat(3).renewToken();
  assert.equal(numberOf((await seat(0).play(first(seat(0).legalCards))).version), 5);
});

test("a play on a position that has changed is refused, and shows the game as it is", async () => {
  await deal();
  const twin = await join(opened.seats[0]?.token);
  const [one, other] = [first(twin.hand), first(twin.hand.slice(1))];
  await twin.play(twin.legalCards.includes(one) ? one : other);
  await assert.rejects(
    seat(0).play(twin.hand[0] ?? one),
    (error) => isProblem(error, "stale_version") && numberOf(error.problem.version) === 3,
  );
  assert.deepEqual(seat(0).state, twin.state);
});

test("a deal and a resignation are made on the newest version, also after changes by others", async () => {
  await seat(1).addEntropy();
  await seat(2).addEntropy();
  const dealt = await seat(3).deal();
  assert.equal(numberOf(dealt.version), 4);
  const change = await seat(1).resign();
  assert.equal(change.phase, "game_over");
  assert.equal(seat(1).state.resigned, 1);
});

test("who joins with a renewed token keeps the seat, and the old token is void", async () => {
  const stream = seat(2).changes();
  await stream.next();
  const token = await seat(2).renewToken();
  assert.equal(seat(2).token, token);
  assert.equal((await join(token)).seat, 2);
  await assert.rejects(join(opened.seats[2]?.token), (error) => isProblem(error, "unknown_token"));
  await host.deal();
  const events = [(await stream.next()).value, (await stream.next()).value].flatMap((update) => update?.events ?? []);
  assert.deepEqual(
    events.map(({ type }) => type),
    ["token_renewed", "cards_dealt"],
  );
  assert.notEqual(await host.renewToken({ seat: 1 }), opened.seats[1]?.token);
  await assert.rejects(host.renewToken(), TypeError);
});

test("who asks again for a token whose answer was lost gets the same one", async () => {
  let lost = true;
  const game = await joinBadly(opened.seats[2]?.token, ({ method }) => lost && method === "POST");
  await assert.rejects(game.renewToken({ name: "Cho" }), ConnectionError);
  lost = false;
  const token = await game.renewToken({ name: "Cho" });
  assert.deepEqual([game.token, game.state.seats[2]?.name], [token, "Cho"]);
  assert.equal(numberOf((await join(token)).state.version), 2);
});

test("who gets a new token has it, though the game cannot be read after that", async () => {
  let renewed = false;
  const game = await joinBadly(opened.seats[2]?.token, ({ method }) => {
    renewed ||= method === "POST";
    return renewed && method === "GET";
  });
  const token = await game.renewToken();
  assert.deepEqual([token, (await join(token)).seat], [game.token, 2]);
});

test("who renews their token in the middle of a deal keeps their hand in sight", async () => {
  const hands = [];
  for await (const { state } of seat(1).changes()) {
    hands.push(state.position?.state.hands[1], seat(1).hand);
    if (numberOf(state.version) === 1) setTimeout(() => host.deal(), 200);
    if (numberOf(state.version) === 2) await seat(1).renewToken();
    if (numberOf(state.version) === 3) break;
  }
  const [, , hand] = hands;
  assert.deepEqual(hands.slice(2), [hand, hand, hand, hand]);
});

test("a seat that the computer plays is not to play, until its person takes it back", async () => {
  await host.seatComputer("easy", { seat: 0 });
  await seat(3).seatComputer("easy");
  assert.equal(seat(3).isMyDeal, false);
  await seat(3).takeSeatBack();
  assert.equal(seat(3).isMyDeal, true);
  await seat(3).deal();
  for await (const { state } of seat(0).changes()) {
    assert.deepEqual([seat(0).isMyTurn, seat(0).legalCards], [false, []]);
    if (state.position?.turn === 1) break;
  }
  await assert.rejects(host.takeSeatBack(), TypeError);
  assert.deepEqual((await host.takeSeatBack({ seat: 0 })).events, [{ type: "computer_left", seat: 0 }]);
  assert.deepEqual((await host.takeSeatBack({ seat: 0 })).events, []);
  assert.equal(host.state.seats[0]?.computer, null);
});

test("the record can be read at any time", async () => {
  const { deals } = await host.record();
  assert.deepEqual(deals, []);
});

test("the host opens one next game, to which everybody comes who waits for it or comes back", async () => {
  await deal();
  const waiting = [seat(1), await join()].map((game) => game.awaitRematch());
  await assert.rejects(host.openRematch(), (error) => isProblem(error, "game_not_over"));
  await seat(0).resign();
  answersToLose = 1;
  const next = await host.openRematch();
  const others = [...(await Promise.all(waiting)), await (await join(opened.seats[2]?.token)).awaitRematch()];
  assert.deepEqual(
    others.map(({ id, token, seat }) => [id, token, seat]),
    [
      [next.id, opened.seats[1]?.token, 1],
      [next.id, undefined, null],
      [next.id, opened.seats[2]?.token, 2],
    ],
  );
  assert.notEqual(next.id, opened.id);
  assert.equal((await host.openRematch()).id, next.id);
  assert.equal((await next.deal()).phase, "playing");
});

test("a next game that is gone is not the one that is waited for", async () => {
  await deal();
  await seat(0).resign();
  await (await host.openRematch()).delete();
  const waiting = seat(1).awaitRematch();
  const next = await host.openRematch();
  assert.deepEqual([(await waiting).id, (await waiting).seat], [next.id, 1]);
});

test("who closes a game waits no longer for the next", async () => {
  const waiting = seat(1).awaitRematch();
  seat(1).close();
  await assert.rejects(waiting, { name: "AbortError" });
});

test("players change seats, each keeps the token, and one who follows is shown the new seat", async () => {
  const ann = seat(0);
  const updates = ann.changes();
  await updates.next();
  const { seating } = await host.changeSeats([2, 0, 3, 1]);
  assert.deepEqual(seating?.first_seats, [2, 0, 3, 1]);
  const { value } = await updates.next();
  assert.deepEqual([value?.whole, ann.seat, ann.state.seats[1]?.name], [true, 1, "Ann"]);
  await updates.return();
  answersToLose = 1;
  const drawn = await host.changeSeats();
  assert.equal(drawn.seating?.rounds[0]?.length, 4);
  assert.equal(numberOf(drawn.version), 3);
  await Promise.all(seats.map((one) => one.refresh()));
  assert.deepEqual(
    seats.map((one) => drawn.seating?.first_seats[one.seat ?? 0]),
    [0, 1, 2, 3],
  );
  await assert.rejects(ann.changeSeats(), (error) => isProblem(error, "wrong_token"));
});
