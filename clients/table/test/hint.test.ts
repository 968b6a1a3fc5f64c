import assert from "node:assert/strict";
import { test } from "node:test";
import type { Card, DealPosition, Suggestion, WeighedCard } from "catch-the-ten";
import { sayHint } from "../src/hint.ts";

/** Returns what is said of the first of two cards, with which so large parts of the deals tried win the game. */
function sayOfTwo(wins: number, others: number): string {
  const weigh = (card: "AS" | "6S", part: number, points: number): WeighedCard => ({
    card,
    points,
    against: 0,
    standard_error: 0,
    exact: false,
    wins: part,
    losses: 0,
    chance: part,
    reasons: part > 0 ? [{ reason: "wins_game", detail: "", cards: [], times: 1 }] : [],
  });
  const suggestion = { cards: [weigh("AS", wins, 9), weigh("6S", others, 8)] } as unknown as Suggestion;
  const position = { state: { trick: [] }, trick_winner: null } as unknown as DealPosition;
  return sayHint({ suggestion, position, name: () => undefined, honours: [] });
}

test("a card is said to win the game only where others may not", () => {
  const won = /as good as wins the game/;
  assert.match(sayOfTwo(0.95, 0.4), won);
  for (const [wins, others] of [
    [0.1, 0],
    [1, 1],
    [0.6, 0.5],
  ] as const)
    assert.doesNotMatch(sayOfTwo(wins, others), won);
});

test("a trick is said to have the honours of the ruleset in play, and no others", () => {
  const card = {
    card: "AD",
    points: 10,
    against: 0,
    wins: 0,
    chance: 0,
    reasons: [{ reason: "takes_trick", detail: "", cards: [], times: 1 }],
  };
  const suggestion = { cards: [card, { ...card, card: "6D", points: 1 }] } as unknown as Suggestion;
  const position = { state: { trick: ["TD", "TS"] }, trick_winner: 0, trump: "S" } as unknown as DealPosition;
  const sayWith = (honours: Card[]) =>
    sayHint({
      suggestion,
      position,
      name: () => undefined,
      honours: honours.map((honour) => ({ card: honour, points: 10 })),
    });
  assert.match(sayWith(["TD"]), /with the ten of diamonds in it/);
  assert.match(sayWith(["TS"]), /with the ten of spades in it/);
  assert.match(sayWith([]), /it takes this trick\.$/);
});
