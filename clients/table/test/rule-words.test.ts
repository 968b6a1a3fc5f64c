import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, type Ruleset, type Suit } from "catch-the-ten";
import { estimateMinutes } from "../src/duration.ts";
import { type Chapter, listHonours, sayRules } from "../src/rule-words.ts";
import { Served } from "./served.ts";

const at = new Served();

const find = (id: string): Ruleset => at.rulesets.find((one) => one.id === id) ?? assert.fail(id);

/** Says the rules of a table by chapters. */
function tell(rules: Ruleset, players: number, sides: number, printed = rules): Record<Chapter, string> {
  const texts = sayRules(rules, printed, players, sides).map(({ chapter, title, text, isHouse }) => [
    chapter,
    `${title}: ${text}${isHouse ? " (house)" : ""}`,
  ]);
  return Object.fromEntries(texts) as Record<Chapter, string>;
}

test("ten questions of a newcomer are answered by what the page says, for each ruleset by its own rules", () => {
  const trebor = tell(find("trebor"), 4, 2);
  assert.match(
    trebor.cards,
    /36 cards: six to ace.*gets 9 cards.*Partners.*left of the dealer leads first, and deals next/,
  );
  assert.match(
    trebor.trick,
    /suit that was led if you can\. If you cannot, play what you like\..*its player leads next/,
  );
  assert.match(trebor.trick, /plain suit ranks ace, king, queen, jack, ten/);
  assert.match(
    trebor.ten,
    /rank jack, ace, king, queen, ten.*ten of trumps counts 10, but jack, ace, king, and queen beat/,
  );
  assert.match(trebor.share, /here 18\..*with 24 cards you have 6\. Fewer cost nothing/);
  assert.match(trebor.target, /^41 is game: .*wins at once, in the middle of a deal/);
  assert.match(
    tell(find("trebor"), 2, 2).cards,
    /3 hands of 6 cards, and plays one after the other\. Each plays alone/,
  );
  assert.match(tell(find("trebor"), 5, 5).cards, /Left out here: six of spades/);
  const kids = tell(find("lots-of-kids"), 4, 4);
  assert.match(kids.ten, /rank ace, king, queen, jack, ten.*but ace, king, queen, and jack beat/);
  assert.match(kids.trick, /first card of a deal may not be a trump/);
  assert.match(kids.target, /at the end of a deal, the side with the most points wins/);
  assert.match(tell(find("take-ten"), 4, 4).trick, /have to play a trump if you have one/);
  assert.match(tell(find("britannica"), 4, 2).share, /Only the honours count/);
  const french = tell(find("french-whist"), 4, 2);
  assert.match(french.ten, /ten of diamonds counts 10, though another suit is trumps/);
  assert.match(french.share, /Each trick counts one/);
});

test("what a table has changed is marked, and nothing else", () => {
  const printed = find("trebor");
  const texts = tell({ ...printed, target: 21, card_points: "none" }, 4, 2, printed);
  assert.match(texts.target, /^21 is game: .*\(house\)$/);
  assert.match(texts.share, /Only the honours count.*\(house\)$/);
  for (const chapter of ["cards", "trick", "ten", "honours"] as const) assert.doesNotMatch(texts[chapter], /house/);
});

test("the honours of every ruleset are those that the service counts, for every trump", async () => {
  for (const rules of at.rulesets) {
    for (const seed of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
      const players = rules.tables.find((table) => table.players === 4) ? 4 : 2;
      let { position } = await ask(at.client, "deals", { rules: rules.id as "trebor", players, seed });
      while (position.phase === "playing") {
        const cards = position.legal_cards?.slice(0, 1) ?? [];
        ({ position } = await ask(at.client, "next-states", { state: position.state, cards }));
      }
      const { sides } = await ask(at.client, "scores", { state: position.state });
      for (const { side, ten, jack, ace, king, queen } of sides) {
        const taken = listHonours(rules, position.trump as Suit).filter(({ card }) =>
          position.state.taken[side]?.includes(card),
        );
        const counted = taken.reduce((sum, { points }) => sum + points, 0);
        assert.equal(counted, ten + jack + ace + king + queen, `${rules.id}, ${position.notation}`);
      }
    }
  }
});

test("a longer game is said to take longer, and none no time", () => {
  const trebor = find("trebor");
  const minutes = (rules: Ruleset, players: number, sides: number) => estimateMinutes(rules, players, sides);
  assert.equal(minutes(trebor, 4, 2), 10);
  assert(minutes({ ...trebor, target: 400 }, 4, 2) > minutes({ ...trebor, target: 82 }, 4, 2));
  assert.equal(minutes({ ...trebor, deals: 1 }, 4, 2), 5);
  for (const rules of at.rulesets)
    for (const { players, sides } of rules.tables)
      for (const number of sides) {
        const found = minutes(rules, players, number);
        assert(found >= 5 && found <= 60, `${rules.id}, ${players}, ${number}: ${found}`);
      }
});
