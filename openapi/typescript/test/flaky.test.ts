import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, openGame } from "../src/index.ts";
import { checkGame } from "./support/check.ts";
import { BAD, BadNetwork } from "./support/network.ts";
import { playSeat } from "./support/player.ts";
import { Service } from "./support/service.ts";

test("four seats play a whole game over a network that loses, delays and cuts", async () => {
  await using service = await Service.start({ STREAM_HEARTBEAT: "0.5" });
  await using network = await BadNetwork.start(service.baseUrl, BAD);
  const client = createClient({ baseUrl: network.baseUrl });
  const game = await openGame(client, { rules: "trebor", players: 4 });
  const seats = game.tokens.map((token) => playSeat(client, { id: game.id, token }, 1500));
  await checkGame(service.baseUrl, game, await Promise.all(seats));
  assert(Object.values(network.counts).reduce((sum, times) => sum + times) >= 5, "too little went wrong");
});
