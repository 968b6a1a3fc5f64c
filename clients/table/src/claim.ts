/** A claim of the rest of a deal: that no other side takes another trick, however the others play, whatever they hold. */

import {
  ask,
  type Card,
  type Client,
  type DealPosition,
  PACK,
  type RecordedPlay,
  type Ruleset,
  rankOf,
  type Seat,
  suitOf,
} from "catch-the-ten";
import { ranksOf } from "./rule-words.ts";
import { type Said, say, sayCard } from "./words/words.ts";

type Plays = readonly RecordedPlay[] | undefined;

function judge(client: Client, state: DealPosition["state"], seat: Seat, plays: Plays) {
  return ask(client, "claims", { state, seat, ...(plays && { plays: [...plays] }) });
}

/**
 * Returns if the seat to play may make the rest: its side can take this trick, and of no suit a card may be out that beats
 * all that the seat then keeps of it.
 */
export function canClaim({ state, trump, turn, trick_winner, legal_cards }: DealPosition, rules: Ruleset): boolean {
  const { hands, taken, trick, sides, leader } = state;
  const hand = hands[turn ?? -1];
  if (turn === null || !Array.isArray(hand)) return false;
  const rank = (card: Card) => ranksOf(rules, suitOf(card) === trump).indexOf(rankOf(card));
  const isSame = (one: Card, other: Card) => suitOf(one) === suitOf(other);
  const beats = (one: Card, other: Card) => (isSame(one, other) ? rank(one) < rank(other) : suitOf(one) === trump);
  const out = PACK.filter((card) => ![...hand, ...trick, ...taken.flat()].includes(card));
  const best = trick_winner === null ? undefined : trick[(trick_winner - leader + hands.length) % hands.length];
  const isOurs = sides.some((seats) => seats.includes(turn) && seats.includes(trick_winner ?? turn));
  return (legal_cards ?? []).some((card) => {
    const kept = best ? hand.filter((one) => one !== card) : hand;
    const isSafe = (other: Card) => kept.some((own) => isSame(own, other) && beats(own, other));
    const matters = (other: Card) => suitOf(other) === trump || kept.some((own) => isSame(own, other));
    return (isOurs || best === undefined || beats(card, best)) && out.every((one) => !matters(one) || isSafe(one));
  });
}

/** Asks if the seat to play makes the rest, and returns what to say of that. */
export async function claimRest(
  client: Client,
  { state }: DealPosition,
  seat: Seat,
  plays: Plays,
  name: (seat: Seat) => string | undefined,
): Promise<{ holds: boolean; text: Said }> {
  const { outcome, refutation } = await judge(client, state, seat, plays);
  const holds = outcome === "holds";
  if (refutation === null) return { holds, text: () => say(holds ? "claim.holds" : "claim.undecided") };
  const cards = refutation.plays.map(({ card }) => card);
  const { events } = await ask(client, "next-states", { state: refutation.state, cards });
  const lost = events.findLast((event) => event.type === "trick_taken");
  if (lost === undefined) return { holds, text: () => say("claim.undecided") };
  const players = state.hands.length;
  const trick = [...state.taken.flat(), ...state.trick, ...cards].length / players;
  const card = lost.cards[(lost.seat - lost.leader + players) % players] as Card;
  return { holds, text: () => say("claim.refuted", { who: name(lost.seat) ?? "", trick, card: sayCard(card) }) };
}

/** Returns a card after which a claim that holds still holds; undefined if none is found. */
export async function findSure(
  client: Client,
  { state, legal_cards }: DealPosition,
  seat: Seat,
  plays: Plays,
): Promise<Card | undefined> {
  const [first, second] = legal_cards ?? [];
  if (second === undefined) return first;
  for (const card of legal_cards ?? []) {
    const { position } = await ask(client, "next-states", { state, cards: [card] });
    if (position.winners.some((side) => state.sides[side]?.includes(seat))) return card;
    if (position.phase !== "playing") continue;
    const { outcome } = await judge(client, position.state, seat, plays && [...plays, { seat, card }]);
    if (outcome === "holds") return card;
  }
  return undefined;
}
