/** How one wishes to play and to see the cards; the browser keeps it. */

import { type Card, RANKS, rankOf, type Suit, suitOf } from "catch-the-ten";
import { read, write } from "./storage.ts";

/** In which order a hand lies: suit after suit, the trumps first, or by rank. */
export const ORDERS = ["suit", "trump", "rank"] as const;

export interface Wishes {
  /** True if a coach says what to play; undefined as long as that was not chosen. */
  readonly coach?: boolean;
  readonly fourColors: boolean;
  readonly order: (typeof ORDERS)[number];
  /** True if a click on the table plays the only card that may be played. */
  readonly playsOnly: boolean;
  /** True if one hears that it is one's turn. */
  readonly sound: boolean;
}

const KEY = "catch-the-ten wishes";

export function readWishes(): Wishes {
  return { fourColors: false, order: "suit", playsOnly: false, sound: false, ...read<Wishes>(KEY) };
}

export function keepWishes(wishes: Wishes): void {
  write(KEY, wishes);
}

/** Returns a hand, which comes suit after suit, in the order that one wishes. */
export function sortHand(hand: readonly Card[], { order }: Wishes, trump: Suit): readonly Card[] {
  const keys: Readonly<Record<Wishes["order"], (card: Card) => number>> = {
    suit: () => 0,
    trump: (card) => (suitOf(card) === trump ? 0 : 1),
    rank: (card) => -RANKS.indexOf(rankOf(card)),
  };
  return hand.toSorted((one, other) => keys[order](one) - keys[order](other));
}
