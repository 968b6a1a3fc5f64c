import assert from "node:assert/strict";
import { test } from "node:test";
import { autoplay, type Card, createClient, isProblem, joinGame, openGame } from "../src/index.ts";
import { BAD, BadNetwork } from "./support/network.ts";
import { readOneDealRules } from "./support/rules.ts";
import { Service } from "./support/service.ts";

test("seats are played as the service suggests, over a bad network, with all plays of the deal", async () => {
  await using service = await Service.start({ STREAM_HEARTBEAT: "0.5" });
  await using network = await BadNetwork.start(service.baseUrl, { ...BAD, cut_stream: 0.3, freeze_stream: 0 }, 3);
  const asked: { plays?: object[]; state: { taken: string[][]; trick: string[] } }[] = [];
  const fetch = async (request: Request) => {
    if (request.url.endsWith("/suggestions")) asked.push(await request.clone().json());
    return globalThis.fetch(request);
  };
  const client = createClient({ baseUrl: network.baseUrl, fetch });
  const { id, seats } = await openGame(client, { rules: await readOneDealRules(client), players: 2 });
  const games = await Promise.all(seats.map(({ token }) => joinGame(client, { id, token })));
  await Promise.all(games.map((game) => autoplay(client, game, { level: "easy" })));
  for (const game of games) assert.equal(game.state.phase, "game_over");
  for (const { plays, state } of asked) assert.equal(plays?.length, [...state.taken, state.trick].flat().length);
});

test("a seat that is taken up in the middle of a deal is played from what is seen", async () => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl });
  const { id, seats } = await openGame(client, { rules: await readOneDealRules(client), players: 2 });
  const games = await Promise.all(seats.map(({ token }) => joinGame(client, { id, token })));
  const stop = new AbortController();
  const left = Promise.all(games.map((game) => autoplay(client, game, { level: "easy", signal: stop.signal })));
  for await (const { state } of (await joinGame(client, { id })).changes())
    if (state.position?.state.taken.flat().length) break;
  stop.abort();
  await assert.rejects(left, { name: "AbortError" });
  await Promise.all(games.map((game) => autoplay(client, game, { level: "easy" })));
  assert.equal(games[0]?.state.phase, "game_over");
});

test("each update has the plays of the deal, without a card that was taken back", async () => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl });
  const { id, seats } = await openGame(client, { rules: "trebor", players: 2, first_dealer: 0, take_back: true });
  const [dealer, eldest] = await Promise.all(seats.map(({ token }) => joinGame(client, { id, token })));
  assert(dealer && eldest);
  await dealer.deal();
  const updates = dealer.changes();
  const next = async () => (await updates.next()).value?.plays;
  assert.deepEqual(await next(), []);
  await eldest.refresh();
  const card = eldest.legalCards[0] as Card;
  await eldest.play(card);
  assert.deepEqual(await next(), [{ seat: 1, card }]);
  await eldest.takeBack();
  assert.deepEqual(await next(), [{ seat: 1, card }]);
  await dealer.takeBack();
  assert.deepEqual(await next(), []);
  await updates.return();
});

test("a service that makes no suggestions is a problem", async () => {
  await using service = await Service.start({ MAX_SUGGESTIONS: "0" });
  const client = createClient({ baseUrl: service.baseUrl });
  const { id, seats } = await openGame(client, { rules: "trebor", players: 2, first_dealer: 0 });
  const [dealer, eldest] = await Promise.all(seats.map(({ token }) => joinGame(client, { id, token })));
  await dealer?.deal();
  assert(eldest);
  await assert.rejects(autoplay(client, eldest), (error) => isProblem(error, "suggestions_off"));
});
