import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, type DealPosition, type Ruleset } from "catch-the-ten";
import { addressOf, readState } from "../src/address.ts";
import {
  type Field,
  findPrinted,
  firstValue,
  houseRules,
  PLAYERS,
  RULE_FIELDS,
  readList,
  withTable,
} from "../src/house-rules.ts";
import { TEXTS } from "../src/words/de.ts";
import { Served } from "./served.ts";

const at = new Served();

async function deal(rules: ReturnType<typeof houseRules>, players: number): Promise<DealPosition> {
  return (await ask(at.client, "deals", { rules, players })).position;
}

/** Returns every value that a field can be given by its choices, or its bounds. */
function valuesOf(field: Field): unknown[] {
  if (field.anyOf) return field.anyOf.flatMap(valuesOf);
  if (field.enum) return [...field.enum];
  if (field.type === "boolean") return [true, false];
  if (field.type === "integer") return [field.minimum, field.maximum];
  if (field.type === "null") return [null];
  return [firstValue(field)];
}

test("the service takes each field of every printed ruleset with any value that the form offers", async () => {
  for (const printed of at.rulesets) {
    assert.equal(houseRules(printed, printed), printed.id);
    for (const [name, field] of Object.entries(RULE_FIELDS)) {
      // Where nothing else counts, honours that are worth nothing are refused: no side could score.
      if (name === "honours" && printed.card_points === "none") continue;
      for (const value of valuesOf(field)) {
        const rules = houseRules(printed, { ...printed, [name]: value });
        const dealt = (await deal(rules, 4)).state.rules;
        if (typeof dealt === "string") assert.deepEqual(value, printed[name as keyof Ruleset]);
        else assert.deepEqual(dealt[name as keyof Ruleset], value);
      }
    }
  }
});

test("every ruleset can be played at every table, if need be by a house rule", async () => {
  for (const printed of at.rulesets) {
    for (const players of PLAYERS) {
      const [rules, table] = withTable(printed, players);
      assert.equal(rules === printed, printed.tables.includes(table));
      assert.equal((await deal(houseRules(printed, rules), players)).state.hands.length, players);
    }
  }
});

test("a changed rule has no printed source any more, and the others keep theirs", () => {
  const printed = findPrinted("trebor", at.rulesets) ?? assert.fail();
  const rules = houseRules(printed, { ...printed, void: "trump_if_able" });
  assert(typeof rules === "object");
  assert.equal(rules.id, "house-trebor");
  assert.match(rules.description ?? "", /other rules for void\.$/);
  assert.equal(rules.sources?.void, undefined);
  assert.deepEqual(rules.sources?.target, printed.sources?.target);
  assert.equal(findPrinted(rules, at.rulesets), printed);
});

test("the address of a position by house rules leads to it, with their sources", async () => {
  const [printed] = at.rulesets.slice(3);
  assert(printed);
  const rules = houseRules(printed, { ...printed, deals: 1, honours: { ...printed.honours, queen: 7 } });
  const { state, notation } = await deal(rules, 3);
  const address = addressOf({ state, notation } as DealPosition, 2, at.rulesets);
  assert.equal(address.seat, "2");
  const read = readState(address.state ?? "", at.rulesets);
  assert.deepEqual(read.rules, rules);
  assert.deepEqual((await ask(at.client, "positions", { state: read })).state, state);
  for (const damaged of ["", "{", "1", '{"rules":{}}', address.state?.slice(0, -9) ?? ""]) {
    assert.throws(() => readState(damaged, at.rulesets), /The link is not whole/);
  }
});

test("every printed ruleset is described in German", async () => {
  for (const { description } of at.rulesets)
    assert.ok(`${(description ?? "").split(". ")[0]}.` in TEXTS, description ?? "");
});

test("a list is read as it is typed, and what is no number is left to the service", () => {
  assert.deepEqual(readList(" 2, 4", { type: "integer" }), [2, 4]);
  assert.deepEqual(readList("6S,6H 7", { type: "string" }), ["6S", "6H", "7"]);
  assert.deepEqual(readList("2 x", { type: "integer" }), [2, "x"]);
});
