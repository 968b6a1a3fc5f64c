import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createClient, joinGame, openGame } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { Recorder } from "../src/calls.ts";
import { findOwn, UsedLink } from "../src/joining.ts";
import { changeSeat, dropGone, findSeat, keepSeat, listSeats } from "../src/kept-seats.ts";
import { Live } from "../src/live.ts";
import { createClients, type PageClient } from "../src/patience.ts";
import { type Choice, FIRST_CHOICE } from "../src/solo.ts";
import { keys, write } from "../src/storage.ts";

const CHOICE: Choice = { ...FIRST_CHOICE, others: "people", name: "Ann" };
const ignore = (): void => undefined;

let service: Service;
let client: PageClient;

before(async () => {
  service = await Service.start();
  client = createClients(new Recorder(ignore), service.baseUrl);
  globalThis.location = { origin: service.baseUrl, pathname: "/table" } as Location;
});

after(() => service[Symbol.asyncDispose]());

afterEach(() => {
  for (const key of keys("")) write(key, undefined);
});

/** Opens a table as a person does, and returns what the browser keeps of it. */
async function openTable() {
  const live = await Live.open(client, ignore, CHOICE);
  live.close();
  const [kept] = listSeats();
  assert(kept?.hosted !== undefined);
  return { ...kept, hosted: kept.hosted };
}

/** A client whose every call is refused. */
const refusing = (status: number, code: string): PageClient => {
  const fetch = async () => Response.json({ title: "", status, code, detail: "", errors: [] }, { status });
  return Object.assign(createClient({ baseUrl: service.baseUrl, timeout: 50, fetch }), { patient: client });
};

/** Waits until something is there. */
async function find<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found) return found;
    await new Promise((next) => setTimeout(next, 20));
  }
}

test("a link to one's own seat that is opened in the same browser keeps the tokens of the host", async () => {
  const { game, seat, token, hosted } = await openTable();
  const own = await findOwn(client, { game, seat: String(seat), token });
  assert.deepEqual(own?.hosted, hosted);
  assert.deepEqual(findSeat(game, seat)?.hosted, hosted);
});

test("a link with the latest token of a seat replaces the void one, and nothing else", async () => {
  const kept = await openTable();
  const { game, seat } = kept;
  using host = await joinGame(client, { id: game, token: kept.hosted.token });
  const fresh = await host.renewToken({ seat });
  await findOwn(client, { game, seat: String(seat), token: fresh });
  assert.deepEqual(findSeat(game, seat), { ...kept, token: fresh });
});

test("a link with a bad token leaves what was kept as it was, and leads to the seat that is kept", async () => {
  const kept = await openTable();
  const { game, seat } = kept;
  assert.deepEqual(await findOwn(client, { game, seat: String(seat), token: "x" }), kept);
  assert.deepEqual(listSeats(), [kept]);
});

test("a link with a bad token to a seat that is not kept keeps nothing", async () => {
  const kept = await openTable();
  await assert.rejects(findOwn(client, { game: kept.game, seat: "1", token: "x" }), UsedLink);
  assert.deepEqual(listSeats(), [kept]);
});

test("a link that says another seat than its token has does not write over that seat", async () => {
  const kept = await openTable();
  const [, token = ""] = kept.hosted.invitations;
  const own = await findOwn(client, { game: kept.game, seat: "0", token: token ?? "" });
  assert.equal(own?.seat, 1);
  assert.deepEqual(findSeat(kept.game, 0), kept);
});

test("the token of a host leads to no seat, and nothing of it is kept", async () => {
  const { id, host_token: token } = await openGame(client, { rules: "trebor", players: 4 });
  assert.equal(await findOwn(client, { game: id, seat: "0", token }), undefined);
  assert.deepEqual(listSeats(), []);
});

test("a link that cannot be tried changes nothing", async () => {
  const kept = await openTable();
  for (const [status, code] of [
    [503, "store_down"],
    [429, "too_many_requests"],
    [410, "game_gone"],
  ] as const) {
    const { game, seat } = kept;
    await assert.rejects(findOwn(refusing(status, code), { game, seat: String(seat), token: "x" }), { code });
    assert.deepEqual(listSeats(), [kept]);
  }
});

test("what another window has changed of a seat is not written over with what this one has seen", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const [kept] = listSeats();
  assert(kept?.hosted !== undefined);
  const changed = changeSeat(kept, { hosted: { ...kept.hosted, invitations: [null, null, "new", "link"] } });
  const following = live.follow();
  using host = await joinGame(client, { id: kept.game, token: kept.hosted.token });
  await host.seatComputer("easy", { seat: 3 });
  await find(() => findSeat(kept.game, 0)?.names[3]?.includes("computer"));
  live.close();
  await following;
  const invitations = findSeat(kept.game, 0)?.hosted?.invitations;
  assert.deepEqual(invitations, [null, null, null, null], "both were found to be of no use");
  assert.equal(findSeat(kept.game, 0)?.token, changed.token);
});

test("a seat is dropped when the service says that its game is gone, and not for anything else", async () => {
  const kept = await openTable();
  for (const [status, code] of [
    [401, "unknown_token"],
    [403, "wrong_token"],
    [404, "not_found"],
    [429, "too_many_requests"],
    [503, "store_down"],
  ] as const) {
    await assert.rejects(Live.sitDown(refusing(status, code), ignore, kept));
    await assert.rejects(dropGone(refusing(status, code)));
    assert.deepEqual(listSeats(), [kept]);
  }
  for (const [status, code] of [
    [404, "no_such_game"],
    [410, "game_gone"],
  ] as const) {
    await assert.rejects(Live.sitDown(refusing(status, code), ignore, kept), { code });
    assert.deepEqual(listSeats(), []);
    keepSeat(kept);
    await dropGone(refusing(status, code));
    assert.deepEqual(listSeats(), []);
    keepSeat(kept);
  }
});

test("a seat is kept where something on the way answers that it knows no such page", async () => {
  const kept = await openTable();
  const fetch = async () => new Response("not found", { status: 404 });
  const lost = Object.assign(createClient({ baseUrl: service.baseUrl, fetch }), { patient: client });
  await assert.rejects(Live.sitDown(lost, ignore, kept), { name: "ConnectionError" });
  assert.deepEqual(listSeats(), [kept]);
});

test("a seat is kept by a browser whose clock is a year ahead", async (context) => {
  const kept = await openTable();
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 365 * 86_400_000 });
  assert.deepEqual(listSeats(), [kept]);
});

test("who follows a game until it is deleted loses the seat then, and other seats stay", async () => {
  const other = await openTable();
  const live = await Live.open(client, ignore, CHOICE);
  const [mine] = listSeats().filter(({ game }) => game !== other.game);
  const following = assert.rejects(live.follow(), { code: "game_gone" });
  using host = await joinGame(client, { id: mine?.game ?? "", token: mine?.hosted?.token });
  await host.delete();
  await following;
  assert.deepEqual(listSeats(), [other]);
});

test("a table says until when it waits once somebody has taken a seat", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const [kept] = listSeats();
  assert.equal(live.lobby.waitsUntil, undefined);
  const following = live.follow();
  using invited = await joinGame(client, { id: kept?.game ?? "", token: kept?.hosted?.invitations[1] ?? "" });
  await invited.renewToken({ name: "Bea" });
  const until = await find(() => live.lobby.waitsUntil);
  const hours = (until.getTime() - Date.now()) / 3_600_000;
  assert(hours > 23.9 && hours <= 24);
  live.close();
  await following;
});
