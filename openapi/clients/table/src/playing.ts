/** What happens at a table, in words and as it lies on the table. */

import { type Card, cardName, type DealPosition, type GameEvent, type Seat } from "catch-the-ten";
import type { Trick } from "./table-model.ts";

/** Milliseconds that a trick that was taken can be looked at. */
export const LOOKING = 1300;

export const rest = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** Returns a trick of cards in the order played. */
export function trickFrom(leader: Seat, cards: readonly Card[], players: number): Trick {
  const played = cards.map((card, place) => ({ seat: (leader + place) % players, card }));
  return { cards: played, winner: null, taken: false };
}

/** Returns the trick on the table. */
export function trickOf({ state, trick_winner }: DealPosition): Trick {
  return { ...trickFrom(state.leader, state.trick, state.hands.length), winner: trick_winner };
}

/** Returns what happened, in words; `name` says who sits where, "You" for who looks on. */
export function describe(event: GameEvent, name: (seat: Seat) => string): string {
  const says = (seat: Seat, verb: string): string => {
    const who = name(seat);
    return `${who} ${who === "You" ? verb : `${verb}s`}`;
  };
  switch (event.type) {
    case "cards_dealt":
      return `${says(event.dealer, "deal")}. The ${cardName(event.turn_up)} is turned up.`;
    case "card_played":
      return `${says(event.seat, "play")} the ${cardName(event.card)}.`;
    case "trick_taken":
      return `${says(event.seat, "take")} the trick.`;
    case "hand_played_out":
      return "The next hand is taken up.";
    case "deal_scored":
      return `The deal is over: ${event.points.join(" to ")}.`;
    case "game_won":
      return "The game is over.";
    case "resigned":
      return `${says(event.seat, "resign")}.`;
    case "entropy_added":
      return `${says(event.seat, "add")} to the next shuffle.`;
    case "computer_seated":
      return `The computer plays for ${name(event.seat)}.`;
    case "computer_left":
      return `${says(event.seat, "play")} again.`;
    case "token_renewed":
      return `The link of seat ${event.seat} is a new one.`;
    default:
      return "";
  }
}
