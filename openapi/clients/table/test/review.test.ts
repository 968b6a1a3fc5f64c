import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Client, createClient, type DealState, joinGame, openGame } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { readTurns } from "../src/review.ts";

let service: Service;
let client: Client;
before(async () => {
  service = await Service.start();
  client = createClient({ baseUrl: service.baseUrl });
});
after(() => service[Symbol.asyncDispose]());

/** What a seat had before it when it played a card. */
interface Played {
  readonly seat: number;
  readonly card: string;
  readonly hand: unknown;
  readonly trick: unknown;
}

for (const players of [2, 4]) {
  test(`the record of a live game of ${players} leads back to each turn of a seat`, async () => {
    const { id, seats: opened, host_token: host } = await openGame(client, { rules: "denexa", players });
    const seats = await Promise.all(opened.map(({ token }) => joinGame(client, { id, token })));
    const hosted = await joinGame(client, { id, token: host });
    await hosted.deal();
    const played: Played[] = [];
    for (await hosted.refresh(); hosted.state.phase === "playing"; await hosted.refresh()) {
      const seat = hosted.state.position?.turn ?? assert.fail();
      const game = seats[seat] ?? assert.fail();
      await game.refresh();
      const card = game.legalCards[0] ?? assert.fail();
      played.push({ seat, card, hand: game.hand, trick: game.state.position?.state.trick });
      await game.play(card);
    }
    const over = hosted.state.position?.state as DealState;
    const record = await hosted.record();
    for (const seat of seats.keys()) {
      const turns = await readTurns(client, record, over, seat);
      const read = turns.map(({ position, card }) => ({
        seat: position.turn,
        card,
        hand: position.state.hands[seat],
        trick: position.state.trick,
      }));
      assert.deepEqual(
        read,
        played.filter((play) => play.seat === seat),
      );
    }
    assert.deepEqual(await readTurns(client, record, { ...over, deal: 2 }, 0), []);
  });
}
