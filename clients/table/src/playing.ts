/** What happens at a table, in words and as it lies on the table. */

import type { Card, DealPosition, GameEvent, Hand, Seat } from "catch-the-ten";
import type { Trick } from "./table-model.ts";
import { say, sayCard, sayList, sayOf } from "./words/words.ts";

/** Milliseconds that a trick that was taken can be looked at. */
export const LOOKING = 1300;

/** Returns how many cards a hand has, seen or not. */
export function countCards(hand: Hand = 0): number {
  return Array.isArray(hand) ? hand.length : hand;
}

/** Returns a trick of cards in the order played. */
export function trickFrom(leader: Seat, cards: readonly Card[], players: number): Trick {
  const played = cards.map((card, place) => ({ seat: (leader + place) % players, card }));
  return { cards: played, winner: null, taken: false };
}

/** Returns the trick on the table. */
export function trickOf({ state, trick_winner }: DealPosition): Trick {
  return { ...trickFrom(state.leader, state.trick, state.hands.length), winner: trick_winner };
}

/** Returns what happened, in words: of the last hand of a deal, only that the deal is over. */
export function describeAll(events: readonly GameEvent[], name: (seat: Seat) => string | undefined): string {
  const isOver = events.some(({ type }) => type === "deal_scored");
  const told = events.filter(({ type }) => !(isOver && type === "hand_played_out"));
  return told.map((event) => describe(event, name)).join(" ");
}

/** Returns what happened, in words; `name` says who sits where, undefined for oneself. */
function describe(event: GameEvent, name: (seat: Seat) => string | undefined): string {
  switch (event.type) {
    case "cards_dealt":
      return sayOf("event.dealt", name(event.dealer), { card: sayCard(event.turn_up) });
    case "card_played":
      return sayOf("event.played", name(event.seat), { card: sayCard(event.card) });
    case "time_ran_out":
      return sayOf("event.time", name(event.seat));
    case "trick_taken":
      return sayOf("event.taken", name(event.seat));
    case "hand_played_out":
      return say("event.hand_out");
    case "deal_scored":
      return say("event.scored", { points: event.points.join(" : ") });
    case "game_won":
      return say("problem.game_over");
    case "revoked":
      return sayOf("event.revoked", name(event.seat));
    case "resigned":
      return sayOf("event.resigned", name(event.seat));
    case "entropy_added":
      return sayOf("event.entropy", name(event.seat));
    case "take_back_asked":
      return event.agreed.length === 0
        ? sayOf("event.asks_back", name(event.seat))
        : say("event.agreed", { names: sayList(event.agreed.map((seat) => name(seat) ?? say("you"))) });
    case "taken_back":
      return sayOf("event.taken_back", name(event.seat), { card: sayCard(event.card) });
    case "computer_seated":
      return sayOf("event.computer", name(event.seat));
    case "computer_left":
      return sayOf("event.back", name(event.seat));
    case "token_renewed":
      return sayOf("event.link", name(event.seat));
    default:
      return "";
  }
}
