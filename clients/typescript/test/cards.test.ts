import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Card,
  cardName,
  cardText,
  isCard,
  isRed,
  PACK,
  RANKS,
  rankOf,
  SUITS,
  sortCards,
  suitName,
  suitOf,
  suitSymbol,
} from "../src/index.ts";

test("the pack has each card once, with its suit and its rank", () => {
  assert.equal(new Set(PACK).size, 36);
  for (const card of PACK) assert.equal(card, rankOf(card) + suitOf(card));
  assert.deepEqual([...new Set(PACK.map(suitOf))], SUITS);
  assert.deepEqual([...new Set(PACK.map(rankOf))], RANKS);
});

test("only codes of cards are cards", () => {
  assert(PACK.every(isCard));
  for (const text of ["", "T", "10H", "TX", "5H", "th"]) assert(!isCard(text), text);
});

test("a card has a text and a name", () => {
  assert.equal(cardText("TH"), "10♥\uFE0E");
  assert.equal(cardText("6S"), "6♠\uFE0E");
  assert.equal(cardName("TH"), "ten of hearts");
  assert.equal(cardName("JC"), "jack of clubs");
  assert.equal(SUITS.map(suitSymbol).join("").replaceAll("\uFE0E", ""), "♣♦♥♠");
  assert.deepEqual(SUITS.map(suitName), ["clubs", "diamonds", "hearts", "spades"]);
});

test("diamonds and hearts are red", () => {
  assert.deepEqual(
    PACK.filter(isRed),
    PACK.filter((card) => "DH".includes(suitOf(card))),
  );
  assert.deepEqual(SUITS.filter(isRed), ["D", "H"]);
});

test("cards are sorted trumps first, and the jack of trumps is the highest unless aces are", () => {
  const hand: Card[] = ["6S", "JD", "AC", "AD", "9H", "JH"];
  assert.deepEqual(sortCards(hand), ["6S", "JH", "9H", "AC", "AD", "JD"]);
  assert.deepEqual(sortCards(hand, "D"), ["JD", "AD", "6S", "JH", "9H", "AC"]);
  assert.deepEqual(sortCards(hand, "D", "ace_high"), ["AD", "JD", "6S", "JH", "9H", "AC"]);
  assert.deepEqual(hand[0], "6S");
});
