import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, type DealPosition, type Rules, type Ruleset, type Seat } from "catch-the-ten";
import { canClaim } from "../src/claim.ts";
import { Served } from "./served.ts";

const at = new Served();

const findRules = (id: Rules): Ruleset => at.rulesets.find((one) => one.id === id) ?? assert.fail();

/** Plays deals by chance, and lists the positions in which a seat has between two and five cards. */
async function* listEndings(rules: Rules, players: number, deals: number): AsyncGenerator<DealPosition> {
  for (let seed = 0; seed < deals; seed += 1) {
    let { position } = await ask(at.client, "deals", { rules, players, seed: `claim-${seed}` });
    while (position.phase === "playing") {
      const legal = position.legal_cards ?? [];
      const card = legal[(seed * 7 + position.state.taken.flat().length) % legal.length] ?? assert.fail();
      ({ position } = await ask(at.client, "next-states", { state: position.state, cards: [card] }));
      const hand = position.turn === null ? [] : position.state.hands[position.turn];
      if (Array.isArray(hand) && hand.length >= 2 && hand.length <= 4) yield position;
    }
  }
}

test("a claim is offered wherever it holds, and in few places else", async (context) => {
  let [holding, offered, all] = [0, 0, 0];
  for (const [rules, players] of [
    ["trebor", 4],
    ["trebor", 3],
    ["britannica", 2],
    ["take-ten", 5],
  ] as const) {
    for await (const position of listEndings(rules, players, 2)) {
      const seat = position.turn as Seat;
      const { outcome } = await ask(at.client, "claims", { state: position.state, seat });
      const isOffered = canClaim(position, findRules(rules));
      if (outcome === "holds") assert.ok(isOffered, position.notation ?? "");
      holding += Number(outcome === "holds");
      offered += Number(isOffered);
      all += 1;
    }
  }
  context.diagnostic(`${all} positions: offered in ${offered}, sure in ${holding}`);
  assert.ok(holding > 0 && offered < all / 2, `${all}, ${offered}, ${holding}`);
});

test("no claim is offered while a card is out that beats all that a seat holds of its suit", async () => {
  for (const [notation, isOffered] of [
    ["ctt1_trebor_02.13_1_0.0_3-Ah_J9s.T6s.8s.7s_2-9dQs_AKsAKJ9hAKQJT876dQT9876c.QT876hAKJc", true],
    ["ctt1_trebor_02.13_1_0.0_3-7c_Q6sK9h.K8s9d6c.97sQJh.T876h_3_0.AJTsAhAKQJT876dAKQJT987c", false],
  ] as const) {
    const position = await ask(at.client, "positions", { state: notation });
    assert.equal(canClaim(position, findRules("trebor")), isOffered, notation);
  }
});
