import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, openGame } from "../src/index.ts";
import { checkGame } from "./support/check.ts";
import { BAD, BadNetwork, HELD, REFUSED } from "./support/network.ts";
import { playSeat } from "./support/player.ts";
import { readOneDealRules } from "./support/rules.ts";
import { Service } from "./support/service.ts";

test("four seats play a whole game over a network that loses, delays and cuts", async () => {
  await using service = await Service.start({ STREAM_HEARTBEAT: "0.5" });
  await using network = await BadNetwork.start(service.baseUrl, BAD);
  const client = createClient({ baseUrl: network.baseUrl });
  const game = await openGame(client, { rules: "trebor", players: 4 });
  const seats = game.seats.map(({ token }) => playSeat(client, { id: game.id, token }, 1500));
  await checkGame(service.baseUrl, game, await Promise.all(seats));
  assert(Object.values(network.counts).reduce((sum, times) => sum + times) >= 5, "too little went wrong");
});

for (const [what, chances] of [
  ["holds back every event", HELD],
  ["refuses every stream", REFUSED],
] as const) {
  test(`four seats play a whole game behind a proxy that ${what}, and loses and cuts answers`, async () => {
    await using service = await Service.start();
    await using network = await BadNetwork.start(service.baseUrl, chances);
    const client = createClient({ baseUrl: network.baseUrl });
    const game = await openGame(client, { rules: await readOneDealRules(client), players: 4 });
    const seats = game.seats.map(({ token }) => playSeat(client, { id: game.id, token }, 1500));
    const { plays, updates } = await checkGame(service.baseUrl, game, await Promise.all(seats));
    assert(network.counts.hold_stream + network.counts.refuse_stream >= 4);
    assert(network.polls < 3 * updates, `${network.polls} polls for ${plays} plays`);
  });
}
