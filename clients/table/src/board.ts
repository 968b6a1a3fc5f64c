/** A deal played back: its hands and tricks, what each seat could have known, and what all hands open show. */

import {
  type AnalyzedDeal,
  ask,
  type Card,
  type CardLoss,
  type Client,
  type DealPosition,
  type GameRecord,
  type Hand,
  isProblem,
  type Seat,
  type Suggestion,
  type TrickTaken,
  type WeighedCard,
} from "catch-the-ten";
import { openAddress } from "./address.ts";
import { readDeal, stateOf } from "./deal-record.ts";
import { balanceOf, findEqual } from "./hint.ts";
import { countCards } from "./playing.ts";

/** Points from which a loss is one: of less nothing is said, and the coach is not asked. */
const LEAST = 1;

/** What a seat could have known: the coach advised another card, and by its figures that one is clearly better. */
export interface Lesson {
  readonly suggestion: Suggestion;
  readonly position: DealPosition;
  /** How much less its side makes beyond all others, on average. */
  readonly loss: number;
}

export interface BoardPlay {
  readonly seat: Seat;
  readonly card: Card;
  /** Undefined if the card was good by what its seat could know. */
  readonly lesson: Lesson | undefined;
  /** What all hands open show. */
  readonly hindsight: CardLoss;
  readonly turns: boolean;
}

export interface BoardTrick {
  readonly plays: readonly BoardPlay[];
  /** Undefined if the trick was not played out. */
  readonly winner: Seat | undefined;
  /** By seat: the hand in play, as it was dealt. */
  readonly hands: readonly Hand[];
}

/** A deal that is looked at card by card. */
export interface Board {
  readonly record: GameRecord;
  readonly dealt: DealPosition;
  readonly tricks: readonly BoardTrick[];
  /** The points of the deal by side, as far as it was played. */
  readonly points: readonly number[];
  /** By side: the points if all had played as well as they could, all hands open. */
  readonly par: readonly number[];
  /** True if a coach was asked what its seats could have known. */
  readonly coached: boolean;
}

/** Plays a deal back by questions alone; `seat` is the one that wants to know what it could have known, or all do. */
export async function openBoard(client: Client, record: GameRecord, seat?: Seat): Promise<Board> {
  const state = stateOf(record);
  const [{ deal }, dealt] = await Promise.all([
    ask(client, "analyses", { record }),
    ask(client, "positions", { state }),
  ]);
  const analyzed = deal as AnalyzedDeal;
  const cards = analyzed.plays.map(({ card }) => card);
  const { events, position } = await ask(client, "next-states", { state, cards });
  const suspects = analyzed.plays.map(
    (play) => play.own_hand.points >= LEAST && (seat === undefined || play.seat === seat),
  );
  const { lessons, coached } = await learn(client, state, analyzed, suspects);
  const plays = analyzed.plays.map(({ seat: by, card, all_hands: hindsight }, at) => {
    return { seat: by, card, hindsight, lesson: lessons[at], turns: analyzed.turning_points.includes(at) };
  });
  const taken = events.filter((event) => event.type === "trick_taken");
  const tricks = cutTricks(plays, taken, handsOf(record));
  return { record, dealt, tricks, points: position.points, par: analyzed.par, coached };
}

/**
 * Plays back the deal of a link, by questions that need neither an account nor a game.
 *
 * @throws {DamagedAddress} if the link says no deal that can have been played.
 */
export async function openLink(client: Client, text: string): Promise<Board> {
  return openAddress(openBoard(client, readDeal(text)));
}

/** Asks the coach about the plays that may have been mistakes. */
async function learn(
  client: Client,
  state: DealPosition["state"],
  { plays }: AnalyzedDeal,
  suspects: readonly boolean[],
): Promise<{ lessons: (Lesson | undefined)[]; coached: boolean }> {
  const played = plays.map(({ seat, card }) => ({ seat, card }));
  const lessons: (Lesson | undefined)[] = [];
  try {
    // One after another: the service thinks about few at a time.
    for (const [at, { card }] of plays.entries()) {
      const before = played.slice(0, at);
      lessons.push(suspects[at] ? await teach(client, await playTo(client, state, before), before, card) : undefined);
    }
    return { lessons, coached: true };
  } catch (error) {
    if (!isProblem(error, "suggestions_off")) throw error;
    return { lessons: [], coached: false };
  }
}

type Played = { readonly seat: Seat; readonly card: Card }[];

async function playTo(client: Client, state: DealPosition["state"], plays: Played): Promise<DealPosition> {
  if (plays.length === 0) return ask(client, "positions", { state });
  return (await ask(client, "next-states", { state, cards: plays.map(({ card }) => card) })).position;
}

/** Returns what could be known of a card; nothing if the coach may have advised it, with or without the plays before. */
async function teach(client: Client, position: DealPosition, plays: Played, card: Card): Promise<Lesson | undefined> {
  const { state } = position;
  const advise = (known?: Played): Promise<Suggestion> =>
    ask(client, "suggestions", { state, level: "hard", ...(known && { plays: known }) });
  const suggestion = await advise(plays);
  const loss = lossOf(suggestion, card);
  if (loss === undefined) return undefined;
  // Not all tables know every play when the coach is asked there.
  const other = await advise();
  if (findEqual(other).some((one) => one.card === card)) return undefined;
  return { suggestion, position, loss };
}

/** Returns how much less a card makes than the best one; undefined unless that is clear. */
export function lossOf({ cards }: Suggestion, card: Card): number | undefined {
  const [best] = cards as [WeighedCard];
  const own = cards.find((one) => one.card === card) ?? best;
  const loss = balanceOf(best) - balanceOf(own);
  const error = Math.hypot(best.standard_error ?? 0, own.standard_error ?? 0);
  return loss >= Math.max(LEAST, 2 * error) ? loss : undefined;
}

/** Lists the hands of a deal, each by seat, in the order in which they are played. */
function handsOf({ deals: [dealt] }: GameRecord): Hand[][] {
  const later = dealt?.later_hands ?? [];
  return [dealt?.hands ?? [], ...(later[0] ?? []).map((_, at) => later.map((own) => own[at] ?? []))];
}

/** Cuts plays into the tricks that they make. */
function cutTricks(plays: readonly BoardPlay[], taken: readonly TrickTaken[], hands: Hand[][]): BoardTrick[] {
  const players = hands[0]?.length ?? 1;
  const tricks = Math.ceil(plays.length / players);
  return Array.from({ length: tricks }, (_, trick) => ({
    plays: plays.slice(trick * players, (trick + 1) * players),
    winner: taken[trick]?.seat,
    hands: hands[Math.floor(trick / countCards(hands[0]?.[0]))] ?? [],
  }));
}

/** Returns the trick that is shown after a key; undefined for a key that does not step. */
export function stepTo(key: string, trick: number, { tricks }: Board): number | undefined {
  const last = tricks.length - 1;
  const steps: Readonly<Record<string, number>> = { ArrowLeft: trick - 1, ArrowRight: trick + 1, Home: 0, End: last };
  const to = steps[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}
