/**
 * What to play and why, in a sentence: the one vocabulary of the hint, the coach and the review of a deal.
 *
 * Each rule of thumb is said only where the figures of the same answer say so, and with the honours of the rules in play.
 */

import type { Card, CardReason, DealPosition, Seat, Suggestion, WeighedCard } from "catch-the-ten";
import type { Honour } from "./rule-words.ts";
import { say, sayCard, sayList } from "./words/words.ts";

type Name = (seat: Seat) => string | undefined;
type Reason = CardReason["reason"];

/** A game is as good as won if so large a part of the deals tried is won, and a smaller one with other cards. */
const SURE = 0.9;

/** A moment of a deal: what the service suggests in a position, and the words for it. */
export interface Moment {
  readonly suggestion: Suggestion;
  readonly position: DealPosition;
  readonly name: Name;
  readonly honours: readonly Honour[];
}

/** Returns the cards that come to the same as the best one. */
export function findEqual({ cards }: Suggestion): WeighedCard[] {
  const figures = ({ points, against, chance }: WeighedCard): string => `${points} ${against} ${chance}`;
  return cards.filter((one) => cards[0] !== undefined && figures(one) === figures(cards[0]));
}

/** Returns what the side of a card makes beyond all others. */
export function balanceOf({ points, against }: WeighedCard): number {
  return points - against;
}

/** Says what to play, and why. */
export function sayHint(moment: Moment): string {
  const { suggestion, position } = moment;
  const [best] = suggestion.cards;
  if (best === undefined) return "";
  const equal = findEqual(suggestion);
  if (equal.length === suggestion.cards.length && equal.length > 1) return say("hint.any");
  const given = advise(moment);
  if (position.state.trick.length === 0) return say("hint.lead", given);
  return say(equal.every((card) => isLeft(moment, card)) ? "hint.throw" : "hint.play", given);
}

/** Names the best cards, and says in a clause why: what is said of one has to be true of each that is named. */
export function advise(moment: Moment): { cards: string; why: string } {
  const equal = findEqual(moment.suggestion);
  const clauses = [...new Set(equal.map((card) => sayWhy(moment, card)))];
  const [why = ""] = clauses.length === 1 ? clauses : [sayFigures(moment.suggestion, equal[0] as WeighedCard)];
  const cards = equal.map(({ card }) => sayThe(card));
  return { cards: sayList(cards, "disjunction"), why };
}

/** Says in a clause why a card is a good one. */
function sayWhy(moment: Moment, card: WeighedCard): string {
  if (has(card, "only_card")) return say("why.only_card");
  if (decides(moment.suggestion, card)) return say("why.wins_game");
  return sayTrick(moment, card) ?? sayThumb(moment, card);
}

function sayThe(card: Card): string {
  return say("hint.the", { card: sayCard(card) });
}

function find({ reasons }: WeighedCard, wanted: Reason): CardReason | undefined {
  return reasons.find(({ reason }) => reason === wanted);
}

function has(card: WeighedCard, reason: Reason): boolean {
  return find(card, reason) !== undefined;
}

/** Returns if a card wins the game where others may not. */
function decides({ cards }: Suggestion, best: WeighedCard): boolean {
  return best.wins >= SURE && cards.some(({ wins }) => wins < SURE);
}

/** Returns if another surely takes the trick: then the service says of no card that its side takes it. */
function isLeft({ position }: Pick<Moment, "position">, card: WeighedCard): boolean {
  const ours = ["takes_trick", "may_take_trick", "only_card"] as const;
  return position.state.trick.length > 0 && !ours.some((reason) => has(card, reason));
}

/** Says what surely becomes of the trick with a card; undefined if that is open. */
function sayTrick(moment: Moment, card: WeighedCard): string | undefined {
  const { position, name, suggestion, honours } = moment;
  if (has(card, "takes_trick")) return sayTaken([...position.state.trick, card.card], honours);
  if (!isLeft(moment, card)) return undefined;
  const who = name(position.trick_winner ?? -1) ?? "";
  if (has(card, "gives_partner")) return say("why.gives_partner", { who, card: sayThe(card.card) });
  // "Anyway" is true only where no other card takes the trick either.
  if (!suggestion.cards.every((one) => isLeft(moment, one))) return undefined;
  if (!has(card, "loses_trick")) return say("why.partner_wins", { who });
  const points = ({ card: one }: WeighedCard): number => honours.find((honour) => honour.card === one)?.points ?? 0;
  const least = Math.min(...suggestion.cards.map(points));
  return say(points(card) === least ? "why.loses_trick" : "why.loses_more", { who });
}

function sayTaken(trick: readonly Card[], honours: readonly Honour[]): string {
  const taken = trick.filter((card) => honours.some((one) => one.card === card));
  if (taken.length === 0) return say("why.takes_trick");
  return say("why.takes_points", { cards: sayList(taken.map(sayThe)) });
}

/** Says the first rule of thumb that the figures bear out: more often so with no other card, and less often with some. */
function sayThumb({ suggestion }: Moment, card: WeighedCard): string {
  for (const [reason, count] of [
    ["catches_honour", countCaught],
    ["may_take_trick", countTaken],
  ] as const) {
    const found = find(card, reason);
    const times = suggestion.cards.map(count);
    if (found && count(card) === Math.max(...times) && count(card) > Math.min(...times))
      return say(`why.${reason}`, { cards: sayList(found.cards.map(sayThe)) });
  }
  const kept = find(card, "keeps_honour");
  return kept ? say("why.keeps_honour", { cards: sayList(kept.cards.map(sayThe)) }) : sayFigures(suggestion, card);
}

/** Says what the figures of a card have before those of all others. */
function sayFigures({ cards }: Suggestion, card: WeighedCard): string {
  if (cards.every((one) => balanceOf(one) <= balanceOf(card))) return say(card.exact ? "why.most_exactly" : "why.most");
  return say(cards.every((one) => one.chance <= card.chance) ? "why.chance" : "why.best");
}

function countCaught(card: WeighedCard): number {
  return find(card, "catches_honour")?.times ?? 0;
}

/** Returns in how many of the deals tried the side of a card takes the trick with it. */
function countTaken(card: WeighedCard): number {
  if (has(card, "loses_trick")) return 0;
  return find(card, "may_take_trick")?.times ?? Number.POSITIVE_INFINITY;
}
