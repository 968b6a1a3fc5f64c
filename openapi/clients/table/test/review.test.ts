import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, createClient, type RecordedPlay } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { recordDeal, review } from "../src/review.ts";

for (const players of [2, 4]) {
  test(`a deal of ${players} is analyzed from its first trick and its plays`, async () => {
    await using service = await Service.start();
    const client = createClient({ baseUrl: service.baseUrl });
    const { position: dealt } = await ask(client, "deals", { rules: "gamerules", players, seed: "arran" });
    const plays: RecordedPlay[] = [];
    let position = dealt;
    let first = dealt;
    while (position.phase === "playing") {
      const [card = assert.fail()] = position.legal_cards ?? [];
      plays.push({ seat: position.turn ?? assert.fail(), card });
      ({ position } = await ask(client, "next-states", { state: position.state, cards: [card] }));
      if (plays.length === 1) first = position;
    }
    const analyzed = await review(client, recordDeal(first, plays), 1);
    assert.deepEqual(
      analyzed?.plays.map(({ seat, card }) => ({ seat, card })),
      plays,
    );
    assert.deepEqual(await review(client, recordDeal(dealt, plays), 1), analyzed);
  });
}
