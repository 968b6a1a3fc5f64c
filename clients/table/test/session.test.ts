import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { ask, createClient, openGame } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { Clock, type Ticks } from "../src/clock.ts";
import { findSeat } from "../src/kept-seats.ts";
import { Live } from "../src/live.ts";
import { Session } from "../src/session.ts";
import { keys, write } from "../src/storage.ts";

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service[Symbol.asyncDispose]());

const sessions: Session[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.table?.close();
  for (const key of keys("")) write(key, undefined);
});

/** A time that passes only when a test says so. */
class Time implements Ticks {
  #now = Date.parse("2026-11-27T20:00:00Z");
  #due: { at: number; work: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  later(work: () => void, time: number): () => void {
    const one = { at: this.#now + time, work };
    this.#due.push(one);
    return () => {
      this.#due = this.#due.filter((other) => other !== one);
    };
  }

  pass(time: number): void {
    this.#now += time;
    const due = this.#due.filter(({ at }) => at <= this.#now);
    this.#due = this.#due.filter(({ at }) => at > this.#now);
    for (const { work } of due) work();
  }
}

/** Opens a window without a browser. */
function open(hash = "", time = new Time(), kept: unknown = null) {
  const place = {
    page: "table",
    hash,
    kept,
    write: (address: string, kept: unknown) => Object.assign(place, { hash: address, kept }),
  };
  const session = new Session(place, () => undefined, service.baseUrl, new Clock(time));
  sessions.push(session);
  session.come();
  return { place, session, time };
}

/** Waits until something is so, while time passes by fractions of a second. */
async function until(is: () => unknown, time?: Time): Promise<void> {
  const end = Date.now() + 30_000;
  while (!is()) {
    assert.ok(Date.now() < end, "it never is so");
    time?.pass(500);
    await new Promise((next) => setTimeout(next, 5));
  }
}

/** Plays the first card that is legal, until the deal is over. */
async function playDeal(session: Session, time: Time): Promise<void> {
  while (session.shown?.scores === undefined) {
    await until(() => session.shown?.isMyTurn || session.shown?.scores, time);
    const [card] = session.shown?.legal ?? [];
    if (card) session.play(card);
  }
}

/** Rules by which honours alone count, 30 of them, so that no side wins in the first deal. */
const RULES = "britannica";

test("of two links that one comes by, the later one holds, though the first answers later", async (context) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const [slow, fast] = await Promise.all([1, 2].map(() => openGame(client, { rules: "trebor", players: 4 })));
  const { fetch } = globalThis;
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  context.mock.method(globalThis, "fetch", async (request: Request) => {
    if (request.url.includes(slow?.id ?? "")) await held;
    return fetch(request);
  });
  const { place, session } = open(`#game=${slow?.id}`);
  place.hash = `#game=${fast?.id}`;
  session.come();
  await until(() => session.live);
  answer();
  await new Promise((next) => setTimeout(next, 200));
  assert.deepEqual([session.live?.id, place.hash], [fast?.id, `#game=${fast?.id}`]);
});

test("a deal is played, counted, and followed by the next one, without a browser", async () => {
  const { place, session, time } = open();
  await until(() => session.shown, time);
  await session.startChosen({ ...session.chooseFirst(false), rules: RULES });
  await until(() => session.shown?.isMyTurn, time);
  assert.match(place.hash, /^#position=ctt1_/);
  await playDeal(session, time);
  session.review(1)?.();
  await until(() => session.panel === "board");
  session.leave("board");
  session.deal();
  await until(() => session.shown?.position.state.deal === 2 && session.shown.isMyTurn, time);
  assert.deepEqual(place.kept, [...session.deals.counts]);
  assert.equal(session.deals.counts.size, 1);
  assert.equal(session.review(2), undefined);
  // Loaded again at the same address, the window has the same deal and what it had counted.
  const again = open(place.hash, new Time(), place.kept);
  again.session.wish({ coach: true });
  await until(() => again.session.shown?.hints, again.time);
  assert.deepEqual(again.session.shown?.position, session.shown?.position);
  again.session.review(1)?.();
  await until(() => again.session.panel === "board");
  assert.deepEqual(again.session.deals.board, session.deals.board);
});

test("the rest is claimed: played out where it is sure, else it is said who might take a trick, and one plays on", async () => {
  // The partner takes this trick; of two spades, the jack has to be kept.
  const sure = "ctt1_trebor_02.13_1_0.0_3-Ah_J9s.T6s.8s.7s_2-9dQs_AKsAKJ9hAKQJT876dQT9876c.QT876hAKJc";
  const { session, time } = open(`#position=${sure}`);
  await until(() => session.shown?.isMyTurn, time);
  session.act(session.table?.claim ?? assert.fail());
  await until(() => session.shown?.scores, time);
  assert.deepEqual(
    session.shown?.position.state.taken.map((cards) => cards.length),
    [28, 8],
  );
  const { session: other, time: later } = open(
    "#position=ctt1_trebor_02.13_1_0.0_3-7c_Q6sK9h.K8s9d6c.97sQJh.T876h_3_0.AJTsAhAKQJT876dAKQJT987c",
  );
  await until(() => other.shown?.isMyTurn, later);
  other.act(other.table?.claim ?? assert.fail());
  await until(() => other.shown?.isMyTurn && other.shown.text().includes("not certain"), later);
  assert.match(
    other.shown?.text() ?? "",
    /^That is not certain: (Una|Isla|Morag) might take trick [6-9] with the \w+ of \w+\. Play on\.$/,
  );
  assert.equal(other.shown?.hand.length, 4);
});

test("panels open one in the place of the other, and only the one that is open is left", () => {
  const { session } = open("#friends=1");
  assert.equal(session.panel, "friends");
  session.show("more");
  session.show("calls");
  session.leave("more");
  assert.equal(session.panel, "calls");
  session.leave("calls");
  assert.equal(session.panel, "none");
});

test("friends sit down by one link, ten minutes pass, and all go on to the next game", async () => {
  const { place, session: ann, time } = open();
  await until(() => ann.shown, time);
  await ann.startChosen({ ...ann.chooseFirst(true), name: "Ann", players: 2, sides: 2, moveSeconds: 600 });
  await until(() => ann.lobby?.seats[1]?.link);
  assert.match(place.hash, /^#seat=0&game=[\w-]+$/);
  // By the link of a seat: that of the table would lead to the seat that the same browser keeps.
  const { session: bea } = open(ann.lobby?.seats[1]?.link);
  await until(() => bea.isInvited);
  bea.take(1, "Bea");
  await until(() => ann.lobby?.canDeal && ann.lobby.seats[1]?.name === "Bea");
  ann.deal();
  await until(() => ann.shown && bea.shown, time);
  const left = ann.shown?.timeLeft?.() ?? 0;
  assert.ok(left > 300_000 && left <= 600_000, String(left)); // some pass while one waits
  time.pass(left);
  assert.equal(ann.shown?.timeLeft?.(), 0);
  const game = ann.lobby?.watching;
  ann.act(() => ann.lobby?.mine?.resign());
  await until(() => ann.shown?.scores && bea.shown?.scores);
  bea.rematch?.();
  await until(() => ann.lobby && bea.lobby && ann.lobby.watching !== game && bea.lobby.watching === ann.lobby.watching);
  assert.deepEqual(
    bea.lobby?.seats.map(({ name }) => name),
    ["Ann", "Bea"],
  );
});

test("players change seats, also two of one browser, and the link still leads a late guest to the computer's", async () => {
  const { session: ann, time } = open();
  await until(() => ann.shown, time);
  await ann.startChosen({ ...ann.chooseFirst(true), name: "Ann", players: 4, sides: 2 });
  await until(() => ann.lobby?.link);
  const { link } = ann.lobby ?? {};
  ann.act(() => ann.lobby?.host?.give(3, "easy"));
  await until(() => ann.lobby?.seats[3]?.sits === "computer");
  assert.equal(ann.lobby?.changeSeats, undefined);
  const guests: Session[] = [];
  for (const seat of [1, 2]) {
    const { session } = open(ann.lobby?.seats[seat]?.link);
    await until(() => session.isInvited);
    session.take(seat, "Ann");
    await until(() => session.lobby?.seat === seat && ann.lobby?.seats[seat]?.sits === "here");
    guests.push(session);
  }
  const [bea, cem] = guests as [Session, Session];
  bea.act(() => bea.lobby?.changeSeats?.([1, 0, 3, 2]));
  await until(() => ann.lobby?.seat === 1 && bea.lobby?.seat === 0 && cem.lobby?.seat === 3);
  for (const session of [ann, bea, cem]) {
    await until(() => session.lobby?.seats[2]?.sits === "computer");
    assert.deepEqual(
      session.lobby?.seats.map(({ name }) => name),
      ["Ann (2)", "Ann", "Ewan", "Ann (3)"],
    );
  }
  // Each comes back to the seat that is its own now.
  const game = ann.live?.id ?? "";
  await until(() => findSeat(game, 1)?.host && findSeat(game, 3));
  const tokens = [0, 1, 3].map((seat) => findSeat(game, seat)?.token);
  assert.equal(new Set(tokens).size, 3);
  for (const seat of [0, 1, 3]) {
    const { session } = open(`#game=${game}&seat=${seat}`);
    await until(() => session.lobby?.seat === seat);
  }
  for (const key of keys("")) write(key, undefined);
  const { session: dot } = open(link);
  await until(() => dot.isInvited && dot.lobby?.seats.every(({ seat, link }) => (link !== undefined) === (seat === 2)));
  dot.take(2, "Dot");
  await until(() => dot.lobby?.seat === 2 && dot.lobby.seats[2]?.sits === "you");
});

test("who waits for a player that is away can let the computer play, a guest only after two minutes", async () => {
  const { session: ann, time } = open();
  await until(() => ann.shown, time);
  await ann.startChosen({ ...ann.chooseFirst(true), name: "Ann", players: 2, sides: 2 });
  await until(() => ann.lobby?.seats[1]?.link);
  const { session: bea } = open(ann.lobby?.seats[1]?.link);
  await until(() => bea.isInvited);
  bea.take(1, "Bea");
  await until(() => ann.lobby?.seats[1]?.sits === "here" && bea.lobby?.seats[0]?.sits === "here");
  assert.deepEqual([ann.lobby?.seats[1]?.standIn, bea.lobby?.seats[0]?.standIn], [undefined, undefined]);
  ann.deal();
  await until(() => bea.shown, time);
  const back = findSeat(ann.live?.id ?? "", 0) ?? assert.fail();
  ann.table?.close();
  await until(() => bea.lobby?.seats[0]?.sits === "away");
  bea.act(() => bea.lobby?.seats[0]?.standIn?.());
  await until(() => bea.failure);
  assert.equal(
    bea.failure?.text(),
    "The computer may play here once nobody has sat here for two minutes. Then try again.",
  );
  bea.table?.close();
  const { session: again } = open(`#game=${back.game}&seat=0`);
  await until(() => again.lobby?.seats[1]?.sits === "away");
  again.act(() => again.lobby?.seats[1]?.standIn?.());
  await until(() => again.lobby?.seats[1]?.sits === "computer");
});

test("an earlier deal of a live game is looked at while a later one is played", async () => {
  const { session: ann, time } = open();
  await until(() => ann.shown, time);
  await ann.startChosen({ ...ann.chooseFirst(true), rules: RULES, name: "Ann" });
  for (const seat of [1, 2, 3]) {
    await until(() => ann.lobby?.seats[seat]?.link);
    ann.act(() => ann.lobby?.host?.give(seat, "easy"));
    await until(() => ann.lobby?.seats[seat]?.sits === "computer");
  }
  ann.deal();
  await playDeal(ann, time);
  ann.deal();
  await until(() => ann.shown?.position.state.deal === 2, time);
  ann.review(1)?.();
  await until(() => ann.panel === "board");
  const record = ann.deals.board?.record;
  assert.deepEqual([record?.deal, record?.deals.length], [1, 1]);
  assert.equal(record?.deals[0]?.plays.length, 36);
});

test("who takes a seat while the link of a game that is over leads on sits at the next one", async (context) => {
  const { session: ann, time } = open();
  await until(() => ann.shown, time);
  await ann.startChosen({ ...ann.chooseFirst(true), name: "Ann", players: 2, sides: 2 });
  await until(() => ann.lobby?.seats[1]?.link);
  const link = ann.lobby?.seats[1]?.link ?? "";
  ann.deal();
  await until(() => ann.shown, time);
  ann.act(() => ann.lobby?.mine?.resign());
  await until(() => ann.shown?.scores);
  const over = ann.live?.id;
  ann.rematch?.();
  await until(() => ann.live?.id !== over);
  // The page is led on only after the seat was asked for, and sits down only after it was led on.
  const { awaitRematch, take } = Live.prototype;
  let asked = false;
  context.mock.method(Live.prototype, "awaitRematch", async function (this: Live) {
    await until(() => asked);
    return awaitRematch.call(this);
  });
  const { session: bea } = open(link);
  context.mock.method(Live.prototype, "take", async function (this: Live, seat: number, name: string) {
    asked = true;
    const taken = await take.call(this, seat, name);
    await until(() => bea.table !== this);
    return taken;
  });
  await until(() => bea.isInvited);
  assert.equal(bea.live?.id, over);
  bea.take(1, "Bea");
  await until(() => bea.live?.id === ann.live?.id && bea.lobby?.seats[1]?.sits === "you");
});

test("a game that one plays alone survives its window, and ends with its last deal", async () => {
  const { session, time } = open();
  await until(() => session.shown, time);
  await session.startChosen({ ...session.chooseFirst(false), rules: RULES });
  await until(() => session.shown?.isMyTurn, time);
  const card = session.shown?.legal[0] ?? assert.fail();
  session.play(card);
  await until(() => session.shown?.isMyTurn && !session.shown.hand.includes(card), time);
  const { position } = session.shown ?? assert.fail();
  session.table?.close();
  const { session: again, time: later } = open();
  await until(() => again.shown?.isMyTurn, later);
  assert.deepEqual(again.shown?.position, position);
  const over = await openOver();
  await until(() => over.session.shown?.position.phase === "game_over", over.time);
  const { session: fresh, time: last } = open();
  await until(() => fresh.shown?.isMyTurn, last);
  assert.equal(fresh.shown?.position.state.deal, 1);
  assert.ok(fresh.shown?.position.state.scores.every((score) => score === 0));
});

/** Opens a window at a position whose game is over. */
async function openOver() {
  const client = createClient({ baseUrl: service.baseUrl });
  const { position } = await ask(client, "deals", { rules: "trebor", players: 4, seed: "arran" });
  let now = await ask(client, "positions", { state: { ...position.state, scores: [40, 40] } });
  while (now.phase === "playing") {
    const cards = now.legal_cards?.slice(0, 1) ?? [];
    now = (await ask(client, "next-states", { state: now.state, cards })).position;
  }
  return open(`#position=${now.notation}`);
}

test("who comes back without a link is offered the table at which a seat is kept, and hears whose turn it is", async () => {
  const { session: ann, time } = open();
  await until(() => ann.shown, time);
  await ann.startChosen({ ...ann.chooseFirst(true), name: "Ann", players: 2, sides: 2 });
  await until(() => ann.lobby?.seats[1]?.link);
  ann.act(() => ann.lobby?.host?.give(1, "easy"));
  await until(() => ann.lobby?.seats[1]?.sits === "computer");
  ann.deal();
  await until(() => ann.shown?.isMyTurn, time);
  ann.table?.close();
  const { session: back, time: later } = open();
  await until(() => back.tables.length > 0 && back.table === undefined);
  const [table] = back.tables;
  assert.deepEqual([table?.kept.seat, table?.state.turn], [0, 0]);
  assert.equal(back.shown, undefined);
  back.playAlone();
  await until(() => back.shown?.isMyTurn, later);
  assert.equal(back.lobby, undefined);
});

test("a link that is damaged says so, and a new try asks the address again", async () => {
  const { place, session } = open("#state={");
  await until(() => session.failure);
  assert.equal(session.failure?.lost, true);
  place.hash = "";
  session.again();
  await until(() => session.shown);
  assert.equal(session.failure, undefined);
});
