import assert from "node:assert/strict";
import { test } from "node:test";
import { setPresent } from "../src/fold.ts";
import { ask, createClient, isProblem, joinGame, openGame } from "../src/index.ts";
import { numberOf } from "../src/sight.ts";
import { BadNetwork } from "./support/network.ts";
import { playSeat } from "./support/player.ts";
import { readOneDealRules } from "./support/rules.ts";
import { Service } from "./support/service.ts";
import { Store } from "./support/store.ts";

for (const [what, chances] of [
  ["by its stream", {}],
  ["without a stream", { hold_stream: 1 }],
] as const) {
  test(`a game that is followed ${what} goes on from the snapshot with which its store began again`, async () => {
    await using store = await Store.start();
    await using service = await Service.start({ REDIS_URL: store.url, STREAM_HEARTBEAT: "0.1" });
    await using network = await BadNetwork.start(service.baseUrl, chances);
    const client = createClient({ baseUrl: network.baseUrl });
    const opened = await openGame(client, { rules: await readOneDealRules(client), players: 4 });

    const looker = await joinGame(createClient({ baseUrl: service.baseUrl }), { id: opened.id });
    const reach = async (version: number) => {
      while (numberOf((await looker.refresh()).version) < version)
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const seats = opened.seats.map(({ token }) => playSeat(client, { id: opened.id, token }, 1500));
    await reach(8);
    await store.save();
    // Between two sights of a seat the three others play once each, so who sees late still sees more lost than was added.
    await reach(numberOf((await looker.refresh()).version) + 12);
    await store.kill();
    await store.start();
    const reports = await Promise.all(seats);

    const record = await looker.record();
    const plays = record.deals.flatMap((deal) => deal.plays);
    assert.equal(new Set(plays.map(({ card }) => card)).size, 36);
    assert.equal(plays.length, 36);
    assert.deepEqual((await ask(client, "adjudications", record)).irregularities, []);
    for (const [seat, { versions, wholes, last }] of reports.entries()) {
      assert.equal(wholes, 2);
      const steps = versions.slice(1).map((version, at) => version - (versions[at] ?? 0));
      const [back, ...others] = steps.filter((step) => step !== 1);
      assert((back ?? 0) <= -3, `the loss leads ${back} versions back`);
      assert.deepEqual(others, []);
      const shown = await joinGame(client, { id: opened.id, token: opened.seats[seat]?.token });
      assert.deepEqual(setPresent(last, []), setPresent(shown.state, []));
    }
  });
}

test("a play on a past that is lost is refused and shows the other one, and the next is made there, once", async () => {
  await using store = await Store.start();
  await using service = await Service.start({ REDIS_URL: store.url, STREAM_HEARTBEAT: "0.1" });
  const client = createClient({ baseUrl: service.baseUrl });
  const opened = await openGame(client, { rules: "trebor", players: 4, first_dealer: 3 });
  const [first, second] = await Promise.all(
    opened.seats.map(({ token }) => joinGame(client, { id: opened.id, token })),
  );
  assert(first && second);
  await (await joinGame(client, { id: opened.id, token: opened.host_token })).deal();
  await store.save();
  await first.refresh();
  const [card, other] = first.legalCards;
  assert(card && other);
  await first.play(card);
  await second.refresh();
  const [answer] = second.legalCards;
  assert(answer);
  await store.kill();
  await store.start();
  await assert.rejects(second.play(answer), (error) => isProblem(error, "stale_version"));
  assert.deepEqual([numberOf(second.state.version), second.isMyTurn], [2, false]);
  assert.equal(numberOf((await first.refresh()).version), 2);
  const { events } = await first.play(other);
  assert.deepEqual(events, [{ type: "card_played", seat: 0, card: other }]);
  await second.refresh();
  assert.equal(numberOf((await second.play(second.legalCards[0] ?? assert.fail())).version), 4);
});
