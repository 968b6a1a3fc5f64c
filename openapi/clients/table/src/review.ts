/** A deal played back: what each play of a seat cost, as far as the service can tell. */

import {
  ask,
  type Card,
  type Client,
  type DealPosition,
  type DealState,
  type GameRecord,
  type RecordedPlay,
  type Seat,
  type WeighedCard,
} from "catch-the-ten";
import { suggest } from "./computer.ts";

/** A play, and the position in which it was made. */
export interface Turn {
  readonly position: DealPosition;
  /** The plays of the deal before it, if they are known. */
  readonly plays: readonly RecordedPlay[] | undefined;
  readonly card: Card;
}

/** A play that another card would have bettered. */
export interface Better {
  /** The number of the play among those of the seat, from 1. */
  readonly turn: number;
  readonly card: Card;
  /** The card that would have been better, in the position in which it could be played. */
  readonly better: WeighedCard;
  readonly position: DealPosition;
  /** Points that the other card makes more, for the side less against it, on average. */
  readonly gain: number;
}

/** A smaller gain is within what the search cannot tell apart. */
const LEAST_GAIN = 0.5;

/** Returns the turns of a seat in a deal that is over, from the record of the game. */
export async function readTurns(client: Client, record: GameRecord, over: DealState, seat: Seat): Promise<Turn[]> {
  const deal = record.deals[over.deal - (record.deal ?? 1)];
  if (deal === undefined) return [];
  const dealt: DealState = {
    ...over,
    hands: deal.hands,
    later_hands: deal.later_hands ?? [],
    leader: (over.dealer + 1) % over.hands.length,
    trick: [],
    taken: over.sides.map(() => []),
    revoked: null,
  };
  const read = async ({ card }: RecordedPlay, index: number): Promise<Turn> => {
    const plays = deal.plays.slice(0, index);
    const cards = plays.map((play) => play.card);
    const position =
      index === 0
        ? await ask(client, "positions", { state: dealt })
        : (await ask(client, "next-states", { state: dealt, cards })).position;
    return { position, plays, card };
  };
  return Promise.all(deal.plays.flatMap((play, index) => (play.seat === seat ? [read(play, index)] : [])));
}

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
    if (gain >= LEAST_GAIN) found.push({ turn: index + 1, card, better: best, position, gain });
  }
  return found;
}
