/** A deal played back: what each play of a seat cost, as far as the service can tell. */

import type { Card, Client, Position, RecordedPlay } from "catch-the-ten";
import { suggest } from "./computer.ts";

/** A play, and the position in which it was made. */
export interface Turn {
  readonly position: Position;
  /** The plays of the deal before it, if they are known. */
  readonly plays: readonly RecordedPlay[] | undefined;
  readonly card: Card;
}

/** A play that another card would have bettered. */
export interface Better {
  /** The number of the play among those of the seat, from 1. */
  readonly turn: number;
  readonly card: Card;
  readonly better: Card;
  /** Points that the other card makes more, for the side less against it, on average. */
  readonly gain: number;
  readonly reason: string;
}

/** A smaller gain is within what the search cannot tell apart. */
const LEAST_GAIN = 0.5;

/** Finds the plays that another card would have bettered. Returns undefined if the service makes no suggestions. */
export async function review(client: Client, turns: readonly Turn[]): Promise<Better[] | undefined> {
  const found: Better[] = [];
  for (const [index, { position, plays, card }] of turns.entries()) {
    if ((position.legal_cards ?? []).length < 2) continue;
    const suggestion = await suggest(client, position, plays, "hard");
    if (suggestion === undefined) return undefined;
    const [best] = suggestion.cards;
    const played = suggestion.cards.find((one) => one.card === card);
    if (best === undefined || played === undefined) continue;
    const gain = best.points - best.against - (played.points - played.against);
    const [reason] = best.reasons;
    if (gain >= LEAST_GAIN) {
      found.push({ turn: index + 1, card, better: best.card, gain, reason: reason?.detail ?? "" });
    }
  }
  return found;
}
