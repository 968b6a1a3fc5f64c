import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createClient, isProblem, joinGame, openGame } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { DamagedAddress, readSeats, writeSeats } from "../src/address.ts";
import { Recorder } from "../src/calls.ts";
import { Clock } from "../src/clock.ts";
import { findOwn, UsedLink } from "../src/joining.ts";
import { changeSeat, findSeat, findTables, GoneTable, keepSeat, listSeats } from "../src/kept-seats.ts";
import { Live } from "../src/live.ts";
import { createClients, type PageClient } from "../src/patience.ts";
import { type Choice, FIRST_CHOICE } from "../src/solo.ts";
import { keys, write } from "../src/storage.ts";

const CHOICE: Choice = { ...FIRST_CHOICE, rules: "trebor", others: "people", name: "Ann" };
const ignore = (): void => undefined;

let service: Service;
let client: PageClient;

before(async () => {
  service = await Service.start();
  client = createClients(new Recorder(ignore), new Clock(), service.baseUrl);
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
  assert(kept?.host !== undefined && kept.invitations !== undefined);
  return { ...kept, host: kept.host, invitations: kept.invitations };
}

/** A token that no game knows. */
const WRONG = `ctt_seat_${"x".repeat(43)}`;

const ANSWERED = 200;

/** A client whose every call is refused or, with the status 200, every game that it asks for. */
const refusing = (status: number, code: string, answered = status): PageClient => {
  const problem = { title: "", status, code, detail: "", errors: [] };
  const body = answered === ANSWERED ? { answers: [{ status, answer: null, problem }] } : problem;
  const fetch = async () => Response.json(body, { status: answered });
  return Object.assign(createClient({ baseUrl: service.baseUrl, timeout: 50, fetch }), {
    patient: client,
    clock: new Clock(),
  });
};

/** Returns true if a token leads to a game. */
async function leads(id: string, token: string): Promise<boolean> {
  try {
    (await joinGame(client, { id, token })).close();
    return true;
  } catch (error) {
    assert(isProblem(error, "unknown_token"));
    return false;
  }
}

/** Waits until something is there. */
async function find<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found) return found;
    await new Promise((next) => setTimeout(next, 20));
  }
}

test("a link to one's own seat that is opened in the same browser keeps what the host holds", async () => {
  const kept = await openTable();
  const { game, seat, token } = kept;
  for (const host of [undefined, "x", kept.invitations[1] ?? ""])
    assert.deepEqual(await findOwn(client, { game, seat: String(seat), token, ...(host && { host }) }), kept);
  assert.deepEqual(listSeats(), [kept]);
});

test("a link takes the role of the host to another device, and nothing that is not the host's", async () => {
  const { game, seat, token, host, invitations } = await openTable();
  for (const [given, kept] of [
    ["x", undefined],
    [invitations[1] ?? "", undefined],
    [host, host],
  ] as const) {
    for (const key of keys("")) write(key, undefined);
    const seats = writeSeats(invitations);
    const own = await findOwn(client, { game, seat: String(seat), token, host: given, seats });
    assert.deepEqual([own?.host, own?.invitations], [kept, invitations]);
  }
});

test("the link of a table leads to one's own seat, if one has one there", async () => {
  const kept = await openTable();
  const { game, invitations } = kept;
  assert.deepEqual(await findOwn(client, { game, seats: writeSeats(invitations) }), kept);
  write(keys("")[0] ?? "", undefined);
  assert.equal(await findOwn(client, { game, seats: writeSeats(invitations) }), undefined);
});

test("two who take a seat at once get two, and who finds none free is told so", async () => {
  const { game, invitations } = await openTable();
  const seats = writeSeats(invitations);
  const friends = await Promise.all([1, 2, 3].map(() => Live.watch(client, ignore, game, invitations)));
  const lives = await Promise.all(friends.map((live, at) => live.take(2, `Friend ${at}`)));
  assert.deepEqual(lives.map(({ lobby }) => lobby.seat).sort(), [1, 2, 3]);
  const late = await Live.watch(client, ignore, game, readSeats(seats));
  await assert.rejects(late.take(1, "Late"), UsedLink);
  for (const live of [...friends, ...lives, late]) live.close();
});

test("no link of a table leads to the cards of a computer, once they are dealt", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const { game, invitations } = listSeats()[0] ?? assert.fail();
  for (const seat of [1, 3]) await live.lobby.host?.give(seat, "easy");
  await (await Live.watch(client, ignore, game, invitations)).take(2, "Bea");
  await live.next();
  for (const token of invitations?.slice(1) ?? [])
    await assert.rejects(joinGame(client, { id: game, token: token ?? "" }), { code: "unknown_token" });
  assert.deepEqual(findSeat(game, 0)?.invitations, invitations);
  live.close();
});

test("who comes late takes a seat of a computer by the same link while the game runs, and a guest too many is told so", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const { game, invitations = [] } = listSeats()[0] ?? assert.fail();
  for (const seat of [1, 2, 3]) await live.lobby.host?.give(seat, "easy");
  await live.next();
  for (const key of keys("")) write(key, undefined); // the guests have other browsers
  const names = ["Bea", "Cem", "Dot"];
  const guests = await Promise.all([...names, "Eve"].map(() => Live.watch(client, ignore, game, invitations)));
  assert.deepEqual(
    guests[0]?.lobby.seats.map(({ link }) => link !== undefined),
    [false, true, true, true],
  );
  const seated: Live[] = [];
  for (const [at, name] of names.entries()) seated.push((await guests[at]?.take(1, name)) ?? assert.fail());
  assert.deepEqual(
    seated.map(({ lobby }) => [lobby.seat, lobby.mine?.computer]),
    [1, 2, 3].map((seat) => [seat, null]),
  );
  const eve = guests[3] ?? assert.fail();
  const following = eve.follow();
  await find(() => eve.lobby.isFull);
  for (const one of [live, ...guests, ...seated]) one.close();
  await following;
});

test("a seat that the host gives back to a person has a link by itself", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const following = live.follow();
  for (const seat of [1, 2, 3]) await live.lobby.host?.give(seat, "easy");
  await live.next();
  const [{ game, invitations: before } = assert.fail()] = listSeats();
  await live.lobby.host?.give(2, null);
  const after = await find(() => findSeat(game, 0)?.invitations);
  assert.deepEqual([after[1], after[3]], [before?.[1], before?.[3]]);
  const cem = await (await Live.watch(client, ignore, game, [null, null, after[2] ?? "", null])).take(2, "Cem");
  assert.equal(cem.lobby.seat, 2);
  for (const one of [live, cem]) one.close();
  await following;
});

test("a table that is gone is opened again for the same people, by any of them", async () => {
  const opened = await openTable();
  const bea = await (await Live.watch(client, ignore, opened.game, opened.invitations)).take(1, "Bea");
  bea.close();
  const kept = findSeat(opened.game, 1) ?? assert.fail();
  using host = await joinGame(client, { id: opened.game, token: opened.host });
  await host.delete();
  const error = await Live.sitDown(client, ignore, kept).catch((found: unknown) => found);
  assert(error instanceof GoneTable && error.kept.setup !== undefined);
  const again = await Live.open(client, ignore, { ...CHOICE, ...error.kept.setup, name: "Bea" }, error.kept);
  const { seat, seats, state } = again.lobby;
  assert.deepEqual([seat, state.rules], [1, "trebor"]);
  assert.deepEqual(
    seats.map(({ name, sits }) => [name, sits]),
    [
      ["Ann", "nobody"],
      ["Bea", "you"],
      ["Player 3", "nobody"],
      ["Player 4", "nobody"],
    ],
  );
  again.close();
});

test("a link with the latest token of a seat replaces the void one, and nothing else", async () => {
  const kept = await openTable();
  const { game, seat } = kept;
  using host = await joinGame(client, { id: game, token: kept.host });
  const fresh = await host.renewToken({ seat });
  await findOwn(client, { game, seat: String(seat), token: fresh });
  assert.deepEqual(findSeat(game, seat), { ...kept, token: fresh });
});

test("a link with a bad token leaves what was kept as it was, and leads to the seat that is kept", async () => {
  const kept = await openTable();
  const { game, seat } = kept;
  for (const token of [WRONG, WRONG.slice(0, -1)])
    assert.deepEqual(await findOwn(client, { game, seat: String(seat), token }), kept);
  assert.deepEqual(listSeats(), [kept]);
});

test("a link with a bad token to a seat that is not kept keeps nothing", async () => {
  const kept = await openTable();
  await assert.rejects(findOwn(client, { game: kept.game, seat: "1", token: WRONG }), UsedLink);
  const damaged = { game: kept.game, token: WRONG.slice(0, -1) };
  await assert.rejects(findOwn(client, { ...damaged, seat: "1" }), DamagedAddress);
  await assert.rejects(Live.arrive(client, ignore, damaged), DamagedAddress);
  assert.deepEqual(listSeats(), [kept]);
});

test("a link that says another seat than its token has does not write over that seat", async () => {
  const kept = await openTable();
  const [, token = ""] = kept.invitations;
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
    await assert.rejects(findOwn(refusing(status, code), { game, seat: String(seat), token: WRONG }), { code });
    assert.deepEqual(listSeats(), [kept]);
  }
});

test("what another window has changed of a seat is not written over with what this one has seen", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const [kept] = listSeats();
  assert(kept?.host !== undefined);
  const changed = changeSeat(kept, { invitations: [null, null, "new", "link"] });
  const following = live.follow();
  using host = await joinGame(client, { id: kept.game, token: kept.host });
  await host.seatComputer("easy", { seat: 3 });
  await find(() => findSeat(kept.game, 0)?.names[3] === "Ewan");
  live.close();
  await following;
  const invitations = findSeat(kept.game, 0)?.invitations;
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
    await assert.rejects(findTables(refusing(status, code)), { code });
    assert.deepEqual(await findTables(refusing(status, code, ANSWERED)), []);
    assert.deepEqual(listSeats(), [kept]);
  }
  for (const [status, code] of [
    [404, "no_such_game"],
    [410, "game_gone"],
  ] as const) {
    await assert.rejects(Live.sitDown(refusing(status, code), ignore, kept), GoneTable);
    assert.deepEqual(listSeats(), []);
    keepSeat(kept);
    assert.deepEqual(await findTables(refusing(status, code, ANSWERED)), []);
    assert.deepEqual(listSeats(), []);
    keepSeat(kept);
  }
});

test("the games of all seats are asked for together, and those at which it is one's turn come first", async () => {
  const { id, host_token: token } = await openGame(client, { rules: "trebor", players: 2, first_dealer: 1 });
  using host = await joinGame(client, { id, token });
  await host.deal();
  const gone = Array.from({ length: 60 }, (_, at) => String(at).padStart(22, "x"));
  for (const game of [id, ...gone]) keepSeat({ game, seat: 1, token, names: [] });
  keepSeat({ game: id, seat: 0, token, names: [] });
  const asked: string[] = [];
  const fetch = (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return globalThis.fetch(request);
  };
  const tables = await findTables(createClient({ baseUrl: service.baseUrl, fetch }));
  assert.deepEqual(asked, ["/v1/my-games", "/v1/my-games"]);
  assert.deepEqual(
    tables.map(({ kept, state }) => [kept.seat, state.turn]),
    [
      [0, 0],
      [1, 0],
    ],
  );
  assert.equal(listSeats().length, 2);
});

/** A client that gets no answer to what it is that `isLost` says so of. */
function losing(isLost: (request: Request) => boolean): PageClient {
  const fetch = async (request: Request) => {
    const answer = await globalThis.fetch(request);
    if (isLost(request)) throw new TypeError("fetch failed");
    return answer;
  };
  return Object.assign(createClient({ baseUrl: service.baseUrl, fetch, timeout: 1000 }), {
    patient: client,
    clock: new Clock(),
  });
}

for (const link of ["of the table", "of one seat"])
  test(`who loads the page again, as no answer came, has the seat that they took by the link ${link}`, async () => {
    const { game, invitations } = await openTable();
    const [, token] = invitations;
    for (const key of keys("")) write(key, undefined); // the friend has another browser
    const lossy = losing(({ method }) => method === "POST");
    const live = await Live.watch(lossy, ignore, game, invitations);
    await assert.rejects(live.take(1, "Bea"), { name: "ConnectionError" });
    live.close();
    assert.deepEqual(listSeats(), []);
    const address = link === "of the table" ? { game, seats: writeSeats(invitations) } : { game, token: token ?? "" };
    const again = await Live.arrive(client, ignore, address);
    again.close();
    assert.deepEqual([again.lobby.seat, again.lobby.seats[1]?.name], [1, "Bea"]);
    assert.deepEqual(keys("catch-the-ten try"), []);
  });

test("who tried to take a seat that somebody else has by now comes to those that are free", async () => {
  const { game, host: token, invitations } = await openTable();
  for (const key of keys("")) write(key, undefined);
  const lossy = losing(({ method }) => method === "POST");
  const live = await Live.watch(lossy, ignore, game, invitations);
  await assert.rejects(live.take(1, "Bea"), { name: "ConnectionError" });
  live.close();
  using host = await joinGame(client, { id: game, token });
  await host.renewToken({ seat: 1, name: "Cho" });
  const again = await Live.arrive(client, ignore, { game, seats: writeSeats(invitations) });
  again.close();
  assert.deepEqual([again.lobby.seat, keys("catch-the-ten try")], [null, []]);
});

test("a name that the service refuses is not tried again", async () => {
  const { game, invitations } = await openTable();
  const live = await Live.watch(client, ignore, game, invitations);
  await assert.rejects(live.take(1, "B\u0007"), { code: "invalid_body" });
  const taken = await live.take(1, "Bea");
  for (const one of [live, taken]) one.close();
  assert.equal(taken.lobby.seats[1]?.name, "Bea");
});

test("the link is void for the seats of the computer as soon as the last friend has come: it may deal by itself", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const following = live.follow();
  const { id: game } = live;
  const before = findSeat(game, 0)?.invitations ?? assert.fail();
  for (const seat of [1, 3]) await live.lobby.host?.give(seat, "easy");
  assert.deepEqual(findSeat(game, 0)?.invitations, before);
  const bea = await (await Live.watch(client, ignore, game, before)).take(2, "Bea");
  await find(() => findSeat(game, 0)?.invitations?.[2] === null);
  for (const token of before.slice(1)) while (await leads(game, token ?? "")) await new Promise(setImmediate);
  for (const one of [live, bea]) one.close();
  await following;
});

test("the link is void for a free seat that the host gives to the computer after the deal", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  const { id: game } = live;
  const token = findSeat(game, 0)?.invitations?.[2] ?? "";
  await live.next();
  await live.lobby.host?.give(2, "easy");
  await assert.rejects(joinGame(client, { id: game, token }), { code: "unknown_token" });
  assert.equal(findSeat(game, 0)?.invitations?.[2], token, "a guest may still take the seat by it");
  live.close();
});

test("the seat of a person whom the computer stands in for keeps its token", async () => {
  const { game, invitations, host: token } = await openTable();
  const bea = await (await Live.watch(client, ignore, game, invitations)).take(1, "Bea");
  const kept = findSeat(game, 1);
  using host = await joinGame(client, { id: game, token });
  const ann = await Live.sitDown(client, ignore, findSeat(game, 0) ?? assert.fail());
  await ann.lobby.host?.give(1, "easy");
  assert.equal((await joinGame(client, { id: game, token: kept?.token })).seat, 1);
  assert.equal(host.seat, null);
  for (const one of [ann, bea]) one.close();
});

test("the seat at a game stays where the next game is gone", async () => {
  const live = await Live.open(client, ignore, { ...CHOICE, players: 2, sides: 2 });
  const kept = findSeat(live.id, 0) ?? assert.fail();
  using host = await joinGame(client, { id: kept.game, token: kept.host });
  await host.deal();
  await host.resign({ seat: 1 });
  await (await host.openRematch()).delete();
  await live.follow();
  const waiting = live.awaitRematch();
  const next = await host.openRematch();
  const found = await waiting;
  assert.deepEqual([found?.id, found?.lobby.seat], [next.id, 0]);
  assert.notEqual(findSeat(kept.game, 0), undefined);
  for (const one of [live, found, next]) one?.close();
});

test("who changes seats and is moved by that hears of no error of the seat that was left", async () => {
  const live = await Live.open(client, ignore, { ...CHOICE, players: 2, sides: 2 });
  await live.lobby.host?.give(1, "easy");
  const changing = live.lobby.changeSeats?.([1, 0]);
  live.close();
  assert.equal(await changing, undefined);
});

test("a seat is taken and played at in a browser that can keep no more: its window keeps it", async (context) => {
  const { game, invitations, host: token } = await openTable();
  const storage = {
    getItem: () => null,
    removeItem: () => undefined,
    setItem: () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    },
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  context.after(() => Reflect.deleteProperty(globalThis, "localStorage"));
  const live = await (await Live.watch(client, ignore, game, invitations)).take(1, "Bea");
  const following = live.follow();
  using host = await joinGame(client, { id: game, token });
  await host.seatComputer("easy", { seat: 3 });
  await find(() => findSeat(game, 1)?.names[3] === "Ewan");
  live.close();
  await following;
});

test("a seat is kept where something on the way answers that it knows no such page", async () => {
  const kept = await openTable();
  const fetch = async () => new Response("not found", { status: 404 });
  const lost = Object.assign(createClient({ baseUrl: service.baseUrl, fetch }), {
    patient: client,
    clock: new Clock(),
  });
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
  const following = assert.rejects(live.follow(), GoneTable);
  using host = await joinGame(client, { id: mine?.game ?? "", token: mine?.host });
  await host.delete();
  await following;
  assert.deepEqual(listSeats(), [other]);
});

test("a table that people are invited to waits a day, though nobody is there", async () => {
  const live = await Live.open(client, ignore, CHOICE);
  live.close();
  const hours = ((live.lobby.waitsUntil?.getTime() ?? 0) - Date.now()) / 3_600_000;
  assert(Math.abs(hours - 24) < 0.1);
});
