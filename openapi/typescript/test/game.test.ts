import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, createClient, joinGame, openGame } from "../src/index.ts";
import { Service } from "./support/service.ts";

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service[Symbol.asyncDispose]());

test("four seats play a whole game, each following it", async () => {
  const client = createClient({ baseUrl: service.baseUrl });
  const { id, tokens, host_token } = await openGame(client, { rules: "trebor", players: 4 });
  const host = await joinGame(client, { id, token: host_token });
  const seats = await Promise.all(tokens.map((token) => joinGame(client, { id, token })));
  await host.deal();
  const versions = await Promise.all(
    seats.map(async (game) => {
      const seen: number[] = [];
      for await (const { state } of game.changes()) {
        seen.push(state.version);
        const [card] = game.legalCards;
        if (card) await game.play(card);
        if (game.seat === 0 && game.state.phase === "deal_over") await host.deal();
      }
      return seen;
    }),
  );
  const { deals } = await host.record();
  const { winners } = await ask(client, "adjudications", { ...(await host.record()) });
  assert.equal(winners.length, 1);
  const last = 1 + deals.length + deals.flatMap((deal) => deal.plays).length;
  for (const seen of versions)
    assert.deepEqual(seen, Array.from({ length: last }, (_, at) => at + 1).slice((seen[0] ?? 1) - 1));
});
