import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Card, Proof } from "catch-the-ten";
import { dealProved, findFaults, type Layout, type Witness } from "../src/proof.ts";

interface ProvedDeal {
  dealer: number;
  turn_up: Card;
  hands: Card[][];
  later_hands?: Card[][][];
  proof: Proof;
}

const LINES = readFileSync(new URL("../../../openapi/conformance/cases/proofs.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const DEALS = LINES.flatMap((line) => find(JSON.parse(line)));

/** Finds every deal with a proof, wherever it stands in a case. */
function find(value: unknown): ProvedDeal[] {
  if (typeof value !== "object" || value === null) return [];
  if ("proof" in value && "turn_up" in value && value.proof) return [value as ProvedDeal];
  return Object.values(value).flatMap(find);
}

function layoutOf({ hands, later_hands: later = [] }: ProvedDeal): Layout {
  return { players: hands.length, hands: 1 + (later[0]?.length ?? 0), cards: hands[0]?.length ?? 0 };
}

function witnessOf(deal: ProvedDeal): Witness {
  const held = deal.hands.map((hand, seat) => new Set([...hand, ...(deal.later_hands?.[seat] ?? []).flat()]));
  return { dealer: deal.dealer, layout: layoutOf(deal), commitment: deal.proof.commitment, turnUp: deal.turn_up, held };
}

test("every deal of the cases comes out as it was dealt", async () => {
  assert(DEALS.length > 3);
  for (const deal of DEALS) {
    const { turnUp, hands } = await dealProved(deal.proof, deal.dealer, layoutOf(deal));
    assert.equal(turnUp, deal.turn_up);
    deal.hands.forEach((hand, seat) => {
      const [first, ...later] = hands[seat] ?? [];
      assert.deepEqual([...(first ?? [])].sort(), [...hand].sort());
      assert.deepEqual(later.flat().sort(), (deal.later_hands?.[seat] ?? []).flat().sort());
    });
    assert.deepEqual(await findFaults(deal.proof, witnessOf(deal)), []);
  }
});

test("a deal that was changed is not proved", async () => {
  for (const deal of DEALS) {
    const witness = witnessOf(deal);
    const [mine, other] = [[...(witness.held[0] ?? [])], [...(witness.held[1] ?? [])]];
    const swapped = [new Set([...mine.slice(1), other[0] as Card]), ...witness.held.slice(1)];
    assert.deepEqual(await findFaults(deal.proof, { ...witness, held: swapped }), ["cards"]);
    const noted = { ...witness, commitment: "0".repeat(64) };
    assert.deepEqual(await findFaults(deal.proof, noted), ["commitment"]);
    const secret = await findFaults({ ...deal.proof, secret: `${deal.proof.secret}x` }, witness);
    assert.equal(secret[0], "secret");
    const turnUp = (deal.turn_up === "6C" ? "7C" : "6C") as Card;
    assert.deepEqual(await findFaults(deal.proof, { ...witness, turnUp }), ["turn_up"]);
  }
});
