import type { GameUpdate } from "./options.ts";
import type { LiveGame, RecordedPlay } from "./schema.ts";
import { trickOf } from "./trick.ts";

/** Returns the plays of the deal after an update; undefined if they are not all known. */
export function playsAfter(
  before: readonly RecordedPlay[] | undefined,
  { state, events, whole }: Omit<GameUpdate, "plays">,
): readonly RecordedPlay[] | undefined {
  let plays = whole ? undefined : before;
  for (const event of events) {
    if (event.type === "cards_dealt") plays = [];
    else if (event.type === "card_played") plays = plays && [...plays, { seat: event.seat, card: event.card }];
    else if (event.type === "taken_back") plays = plays?.slice(0, -1);
  }
  return plays ?? readPlays(state);
}

/** Returns the plays of a deal whose first trick is not taken yet. */
function readPlays({ position }: LiveGame): RecordedPlay[] | undefined {
  const state = position?.state;
  return state?.taken.every((cards) => cards.length === 0) ? trickOf(state) : undefined;
}
