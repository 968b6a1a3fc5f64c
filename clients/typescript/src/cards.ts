import type { Card, Suit } from "./schema.ts";

/** The rank of a card: the first character of its code. */
export type Rank = "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";

/** How trumps rank: the jack above the ace, or the ace highest, as in a plain suit (`trump_rank` of a ruleset). */
export type TrumpRank = "jack_high" | "ace_high";

/** The suits, in the order of the pack. */
export const SUITS: readonly Suit[] = ["C", "D", "H", "S"];

/** The ranks of a plain suit, from low to high. */
export const RANKS: readonly Rank[] = ["6", "7", "8", "9", "T", "J", "Q", "K", "A"];

/** The pack of 36 cards: suit by suit, each from six to ace. */
export const PACK: readonly Card[] = SUITS.flatMap((suit) => RANKS.map((rank): Card => `${rank}${suit}`));

/** The suits as they follow in a hand, so that black and red alternate. */
const CIRCLE: readonly Suit[] = ["S", "H", "C", "D"];
const SUIT_NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" } as const;
const SUIT_SYMBOLS = { C: "♣", D: "♦", H: "♥", S: "♠" } as const;
const RANK_NAMES = {
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
  A: "ace",
} as const;

/** Returns true if a text is the code of a card, such as `TH`. */
export function isCard(text: string): text is Card {
  return (PACK as readonly string[]).includes(text);
}

/** Returns the suit of a card. */
export function suitOf(card: Card): Suit {
  return card[1] as Suit;
}

/** Returns the rank of a card. */
export function rankOf(card: Card): Rank {
  return card[0] as Rank;
}

/** Returns true if a card, or a suit, is red: of diamonds or hearts. */
export function isRed(card: Card | Suit): boolean {
  return /[DH]$/.test(card);
}

/** Returns the symbol of a suit, as text and not as a picture: `♥`. */
export function suitSymbol(suit: Suit): string {
  return `${SUIT_SYMBOLS[suit]}\uFE0E`;
}

/** Returns the English name of a suit: `hearts`. */
export function suitName(suit: Suit): string {
  return SUIT_NAMES[suit];
}

/** Returns a card as a short text: `10♥`. */
export function cardText(card: Card): string {
  const rank = rankOf(card);
  return (rank === "T" ? "10" : rank) + suitSymbol(suitOf(card));
}

/** Returns the English name of a card, for screen readers and messages: `ten of hearts`. */
export function cardName(card: Card): string {
  return `${RANK_NAMES[rankOf(card)]} of ${SUIT_NAMES[suitOf(card)]}`;
}

/** Returns how high a card is in its own suit: the higher number beats the lower. */
function height(card: Card, trump?: Suit, trumpRank: TrumpRank = "jack_high"): number {
  const rank = rankOf(card);
  return rank === "J" && suitOf(card) === trump && trumpRank === "jack_high" ? RANKS.length : RANKS.indexOf(rank);
}

/**
 * Returns cards as a player holds them, which is how the service lists a hand: trumps first, then the other suits as they
 * follow in the circle of spades, hearts, clubs and diamonds, in each suit from high to low.
 *
 * @param trump The trump suit, in which the jack may be the highest card. By default none: spades come first.
 * @param trumpRank How trumps rank, as the ruleset says. By default the jack is highest.
 */
export function sortCards(cards: readonly Card[], trump?: Suit, trumpRank?: TrumpRank): Card[] {
  const first = CIRCLE.indexOf(trump ?? "S");
  const suitPlace = (card: Card): number => (CIRCLE.indexOf(suitOf(card)) - first + CIRCLE.length) % CIRCLE.length;
  const place = (card: Card): number => suitPlace(card) * 10 - height(card, trump, trumpRank);
  return [...cards].sort((one, other) => place(one) - place(other));
}
