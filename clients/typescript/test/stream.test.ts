import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createClient, type Game, isProblem, joinGame, type OpenedGame, openGame } from "../src/index.ts";
import { refuse, say, whole } from "./support/script.ts";
import { Service } from "./support/service.ts";

let service: Service;
let opened: OpenedGame;
let script: ((request: Request) => Response | Promise<Response>)[];
let connections: Request[];
let game: Game;

before(async () => {
  service = await Service.start();
});
after(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  [script, connections] = [[], []];
  const fetch = async (request: Request) => {
    if (!request.url.endsWith("/events")) return globalThis.fetch(request);
    connections.push(request);
    return (script.shift() ?? globalThis.fetch)(request);
  };
  const client = createClient({ baseUrl: service.baseUrl, fetch });
  opened = await openGame(client, { rules: "trebor", players: 4 });
  game = await joinGame(client, { id: opened.id, token: opened.host_token });
});

const lastSeen = () => connections.map((request) => request.headers.get("Last-Event-ID"));

test("the first update is the game as it is, before the stream says anything", async () => {
  script.push(say([]));
  for await (const update of game.changes()) {
    assert.deepEqual(update, { state: game.state, events: [], whole: true, plays: undefined });
    break;
  }
});

test("a silent stream is taken for dead and followed anew, from what was seen last", async () => {
  script.push(say(["retry: 10\n\n", ":\n\n"]), say([":\n\n", ":\n\n"]));
  const connected: boolean[] = [];
  const onConnection = (now: boolean) => connected.push(now);
  for await (const { state } of game.changes({ silence: 400, onConnection })) {
    if (state.phase === "playing") break;
    setTimeout(() => game.deal(), 1000);
  }
  assert(lastSeen().length >= 3);
  assert(lastSeen().every((id) => id?.startsWith("1-")));
  assert.deepEqual(connected.slice(0, 5), [true, false, true, false, true]);
});

test("heartbeats keep a stream alive", async () => {
  script.push(({ signal }) => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const timer = setInterval(() => controller.enqueue(new TextEncoder().encode(":\n\n")), 50);
      signal.addEventListener("abort", () => clearInterval(timer));
    };
    return new Response(new ReadableStream({ start }), { headers: { "Content-Type": "text/event-stream" } });
  });
  const signal = AbortSignal.timeout(600);
  await assert.rejects(
    async () => {
      for await (const _ of game.changes({ silence: 200, signal }));
    },
    { name: "TimeoutError" },
  );
  assert.equal(connections.length, 1);
});

test("a character that two pieces share is read whole", async () => {
  const text = new TextEncoder().encode(
    whole({ ...game.state, seats: game.state.seats.map((seat) => ({ ...seat, name: "Mòrag" })) }),
  );
  const middle = text.indexOf(0xc3) + 1;
  script.push(say([text.slice(0, middle), text.slice(middle)]));
  const names = [];
  for await (const { state } of game.changes()) {
    names.push(state.seats[0]?.name);
    if (names.length === 2) break;
  }
  assert.deepEqual(names, [null, "Mòrag"]);
});

test("an event that this package does not know leaves the game as it is otherwise, and is given as it is", async () => {
  const { phase, dealer, position, changed_at: at, expires_at } = game.state;
  const change = {
    version: "2-0badc0de",
    at,
    expires_at,
    phase,
    dealer,
    position,
    events: [{ type: "toast_proposed" }],
    shuffles: [],
  };
  script.push(say([`event: change\nid: 2-0badc0de\ndata: ${JSON.stringify(change)}\n\n`]));
  const before = game.state;
  for await (const { state, events, whole } of game.changes()) {
    if (whole) continue;
    assert.deepEqual(events, change.events);
    assert.deepEqual(state, { ...before, version: change.version });
    break;
  }
});

test("another past of the game takes the place of what was shown, also at a lower version", async () => {
  await game.deal();
  const before = { ...game.state, version: "1-0badc0de", phase: "to_deal", position: null } as const;
  script.push(say([whole(before)]));
  const updates = [];
  for await (const update of game.changes()) {
    updates.push(update);
    if (updates.length === 2) break;
  }
  assert.deepEqual(updates[1], { state: before, events: [], whole: true, plays: undefined });
  assert.deepEqual(game.state, before);
});

test("an answer from a past that is lost says nothing about the game", async () => {
  const before = { ...game.state, version: "1-0badc0de" };
  script.push(say([whole(before)]));
  const late = game.deal();
  for await (const { state } of game.changes()) {
    if (state === game.state && state.version === before.version && connections.length) break;
  }
  await late;
  assert.equal(game.state.version, before.version);
});

test("a stream that is refused for a while is asked for again when it may be", async () => {
  const refused = refuse("too_many_streams", 503, { "Retry-After": "1" });
  script.push(
    refused,
    () => new Response("", { status: 502 }),
    (request) => {
      setTimeout(() => game.deal(), 100);
      return globalThis.fetch(request);
    },
  );
  const began = Date.now();
  for await (const { whole } of game.changes()) {
    if (!whole) break;
  }
  assert.equal(connections.length, 3);
  assert(Date.now() - began >= 1000);
});

test("a page in place of the stream is not taken for the stream", async () => {
  const page = { headers: { "Content-Type": "text/html" } };
  const invitation = { id: opened.id, token: opened.host_token };
  const other = await joinGame(createClient({ baseUrl: service.baseUrl }), invitation);
  const connected: boolean[] = [];
  const onConnection = (now: boolean) => connected.push(now);
  script.push(
    () => new Response("<!doctype html><h1>Sign in</h1>", page),
    () => Response.json({ signed_in: false }),
  );
  // The changes are asked for after 30 seconds at the earliest.
  for await (const { whole } of game.changes({ silence: 600_000, onConnection })) {
    if (!whole) break;
    setTimeout(() => other.deal(), 50);
  }
  assert.equal(connections.length, 3);
  assert.deepEqual(connected, [true]);
});

test("a token that holds no more ends the loop with the problem", async () => {
  script.push(refuse("unknown_token", 401));
  await assert.rejects(
    async () => {
      for await (const _ of game.changes());
    },
    (error) => isProblem(error, "unknown_token"),
  );
});

test("the end of a game that is deleted is the problem game_gone", async () => {
  await assert.rejects(
    async () => {
      for await (const _ of game.changes()) await game.delete();
    },
    (error) => isProblem(error, "game_gone"),
  );
});

test("closing a game ends its loops quietly, and gives its calls up", async () => {
  for await (const _ of game.changes()) setTimeout(() => game.close(), 50);
  await assert.rejects(game.refresh(), { name: "AbortError" });
});

test("a game that was closed, or is over, has no more changes than the first", async () => {
  await game.deal();
  await game.resign({ seat: 2 });
  const states = [];
  for await (const { state } of game.changes()) states.push(state.phase);
  assert.deepEqual(states, ["game_over"]);
  assert.equal(connections.length, 0);
  game.close();
  for await (const _ of game.changes()) assert.fail();
});

test("an aborted signal ends the loop with its reason", async () => {
  const reason = new Error("left the page");
  const controller = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of game.changes({ signal: controller.signal })) setTimeout(() => controller.abort(reason), 50);
  }, reason);
});

test("a game can be declared with using, and is closed at the end of the block", async () => {
  let kept: Game;
  {
    using inner = game;
    kept = inner;
  }
  await assert.rejects(kept.refresh(), { name: "AbortError" });
});
