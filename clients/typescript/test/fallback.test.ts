import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createClient, type Game, isProblem, joinGame, type OpenedGame, openGame } from "../src/index.ts";
import { numberOf } from "../src/sight.ts";
import { refuse, say } from "./support/script.ts";
import { Service } from "./support/service.ts";

type Answerer = (request: Request) => Response | Promise<Response>;

let service: Service;
let opened: OpenedGame;
/** The answerers of the event streams, one for each in turn; the last one for all that follow. */
let streams: Answerer[];
/** The answerers of the polls for changes, one for each; then the service. */
let pages: Answerer[];
/** When the changes were asked for, in milliseconds. */
let polls: number[];
let game: Game;

const HELD: Answerer = say([]);
const REAL: Answerer = (request) => globalThis.fetch(request);

before(async () => {
  service = await Service.start({ STREAM_HEARTBEAT: "0.2" });
});
after(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  [streams, pages, polls] = [[HELD], [], []];
  const fetch = async (request: Request) => {
    if (request.url.endsWith("/events")) return ((streams.length > 1 ? streams.shift() : streams[0]) ?? REAL)(request);
    if (!request.url.includes("/changes")) return REAL(request);
    polls.push(Date.now());
    return (pages.shift() ?? REAL)(request);
  };
  const patient = createClient({ baseUrl: service.baseUrl });
  opened = await openGame(patient, { rules: "trebor", players: 4, first_dealer: 3 });
  // Less than the second for which some answers ask to wait, so that these reach who follows the game.
  const client = createClient({ baseUrl: service.baseUrl, fetch, timeout: 900 });
  game = await joinGame(client, { id: opened.id, token: opened.host_token });
});

/** Joins the game as another app would, which is not hindered. */
function joinApart(token: string = opened.host_token): Promise<Game> {
  return joinGame(createClient({ baseUrl: service.baseUrl }), { id: opened.id, token });
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("a game whose streams never say anything is followed by asking for its changes", async () => {
  const other = await joinApart();
  const connected: boolean[] = [];
  const onConnection = (now: boolean) => connected.push(now);
  const versions = [];
  for await (const { state, events, whole } of game.changes({ silence: 1000, onConnection })) {
    versions.push(numberOf(state.version));
    assert.equal(whole, versions.length === 1);
    if (versions.length === 4) break;
    assert.equal(events.length, versions.length === 1 ? 0 : 1);
    setTimeout(() => other.renewToken({ seat: 3 }), 100);
  }
  assert.deepEqual(versions, [1, 2, 3, 4]);
  assert.deepEqual(connected, [true]);
});

test("who is present is seen without a stream, too", async () => {
  const other = await joinApart(opened.seats[2]?.token);
  const followed = other.changes();
  await followed.next();
  followed.next().catch(() => undefined);
  const present = new Promise((resolve) => {
    void (async () => {
      for await (const _ of game.changes({ silence: 1000, onPresence: resolve }));
    })();
  });
  assert.deepEqual(await present, [2]);
  assert.equal(game.state.seats[2]?.present, true);
  game.close();
  other.close();
});

test("the longer nothing is new, the more seldom changes are asked for", async () => {
  const signal = AbortSignal.timeout(3000);
  await assert.rejects(async () => {
    for await (const _ of game.changes({ silence: 1000, signal }));
  });
  const gaps = polls.slice(1).map((at, index) => at - (polls[index] ?? 0));
  assert(gaps.length >= 4 && (gaps[0] ?? 0) < 350, gaps.join());
  assert(
    gaps.slice(3).every((gap) => gap >= 190),
    gaps.join(),
  );
});

test("what is done here is shown at once, however seldom changes are asked for", async () => {
  for await (const { whole } of game.changes()) {
    if (!whole) break;
    setTimeout(() => game.deal(), 50);
  }
  assert.equal(polls.length, 1);
});

test("more changes than a page has come without a pause, and none is left out", async () => {
  const other = await joinApart();
  const silence = 10_000;
  const versions = [];
  for await (const { state } of game.changes({ silence })) {
    versions.push(numberOf(state.version));
    if (numberOf(state.version) === 1) for (let i = 0; i < 60; i += 1) await other.renewToken({ seat: 3 });
    if (numberOf(state.version) === 61) break;
  }
  assert.deepEqual(
    versions,
    Array.from({ length: 61 }, (_, at) => at + 1),
  );
  assert((polls.at(-1) ?? 0) - (polls.at(-2) ?? 0) < 250);
});

const LATER = { "Retry-After": "1" };
const REFUSALS = {
  "that can be read": refuse("too_many_requests", 429, LATER),
  "that cannot be read": () => new Response("{", { status: 503, headers: LATER }),
};
for (const [kind, refusal] of Object.entries(REFUSALS)) {
  test(`changes that are refused for a while, in a way ${kind}, are asked for again when they may be`, async () => {
    pages.push(refusal);
    const connected: boolean[] = [];
    const onConnection = (now: boolean) => connected.push(now);
    for await (const { whole } of game.changes({ silence: 1000, onConnection })) {
      if (!whole) break;
      setTimeout(async () => (await joinApart()).deal(), 500);
    }
    assert((polls[1] ?? 0) - (polls[0] ?? 0) >= 990);
    assert.deepEqual(connected, [false, true]);
  });
}

test("as soon as a stream lives again it is followed, no change comes twice, and nothing is asked for any more", async () => {
  const other = await joinApart();
  streams = [refuse("too_many_streams", 503, { "Retry-After": "1" }), REAL];
  const versions = [];
  let before = 0;
  for await (const { state } of game.changes({ silence: 1000 })) {
    versions.push(numberOf(state.version));
    if (numberOf(state.version) === 3) {
      await sleep(1500);
      before = polls.length;
      await sleep(500);
    }
    if (numberOf(state.version) === 5) break;
    await other.renewToken({ seat: 3 });
  }
  assert.deepEqual(versions, [1, 2, 3, 4, 5]);
  assert(before >= 2);
  assert.equal(polls.length, before);
});

test("a stream that gives no more than its beginning is not relied on", async () => {
  const other = await joinApart();
  streams = [say(["retry: 10\n\n"])];
  for await (const { state } of game.changes({ silence: 400 })) {
    if (numberOf(state.version) === 3) break;
    setTimeout(() => other.renewToken({ seat: 3 }), 1000);
  }
  assert(polls.length >= 4, `${polls.length} polls`);
});

test("a game that is deleted, and a token that is void, end the loop with the problem, without a stream as well", async () => {
  const host = await joinApart();
  const seat = await joinGame(createClient({ baseUrl: service.baseUrl, fetch: deny }), {
    id: opened.id,
    token: opened.seats[0]?.token,
  });
  await assert.rejects(
    async () => {
      for await (const _ of seat.changes({ silence: 1000 })) await host.renewToken({ seat: 0 });
    },
    (error) => isProblem(error, "unknown_token"),
  );
  await assert.rejects(
    async () => {
      for await (const _ of game.changes({ silence: 1000 })) await host.delete();
    },
    (error) => isProblem(error, "game_gone"),
  );
});

/** A network in which no stream begins. */
async function deny(request: Request): Promise<Response> {
  return request.url.endsWith("/events") ? new Response("<h1>No</h1>", { status: 403 }) : REAL(request);
}

test("who renews their token while it is used for asking goes on with the new one", async () => {
  const fetch = async (request: Request) => {
    if (request.url.includes("/changes") && !seat.token?.startsWith("renewed")) {
      // The request is on its way while the token is renewed, and arrives afterwards.
      asked = true;
      await renewed;
    }
    return deny(request);
  };
  let asked = false;
  const seat = await joinGame(createClient({ baseUrl: service.baseUrl, fetch }), {
    id: opened.id,
    token: opened.seats[0]?.token,
  });
  const renewed = (async () => {
    while (!asked) await sleep(10);
    await seat.renewToken();
  })();
  const kinds = [];
  for await (const { events, state } of seat.changes({ silence: 1000 })) {
    kinds.push(...events.map(({ type }) => type));
    if (numberOf(state.version) === 2) await (await joinApart()).deal();
    if (numberOf(state.version) === 3) break;
  }
  assert.deepEqual(kinds, ["token_renewed", "cards_dealt"]);
  assert.equal(seat.hand.length, 9);
});
