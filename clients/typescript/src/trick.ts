import type { Card, DealState, RecordedPlay, Seat } from "./schema.ts";

/** Returns the current trick: its cards in the order played, each with the seat that played it. */
export function trickOf(state: DealState): RecordedPlay[] {
  return seatTrick(state.trick, state.leader, state.hands.length);
}

/** Returns the plays of a trick to which a seat led. */
export function seatTrick(cards: readonly Card[], leader: Seat, seats: number): RecordedPlay[] {
  return cards.map((card, at) => ({ seat: (leader + at) % seats, card }));
}
