/** What to play and why, in a sentence to a person, from the reasons that the service gives. */

import type { Card, CardReason, DealPosition, Seat, Suggestion, WeighedCard } from "catch-the-ten";
import type { Honour } from "./rule-words.ts";
import { say, sayCard, sayList } from "./words/words.ts";

type Name = (seat: Seat) => string | undefined;
type Reason = CardReason["reason"];

/** The reasons that can be said of a card by themselves, those of most weight first. */
const PLAIN = ["keeps_honour", "catches_honour"] as const satisfies Reason[];
/** A game is as good as won if so large a part of the deals tried is won, and a smaller one with other cards. */
const SURE = 0.9;

/** Returns the cards that come to the same as the best one. */
export function findEqual({ cards }: Suggestion): WeighedCard[] {
  const figures = ({ points, against, chance }: WeighedCard): string => `${points} ${against} ${chance}`;
  return cards.filter((one) => cards[0] !== undefined && figures(one) === figures(cards[0]));
}

/** Says what to play, and why. */
export function sayHint(
  suggestion: Suggestion,
  position: DealPosition,
  name: Name,
  honours: readonly Honour[],
): string {
  const equal = findEqual(suggestion);
  const [best] = equal;
  if (best === undefined) return "";
  if (equal.length === suggestion.cards.length && equal.length > 1) return say("hint.any");
  const given = {
    cards: sayList(
      equal.map(({ card }) => say("hint.the", { card: sayCard(card) })),
      "disjunction",
    ),
    why: decides(suggestion, best) ? say("why.wins_game") : sayWhy(best, position, name, honours),
  };
  if (position.state.trick.length === 0) return say("hint.lead", given);
  return isLeftTo(best, position) ? say("hint.throw", given) : say("hint.play", given);
}

/** Returns if a card wins the game where others may not. */
function decides({ cards }: Suggestion, best: WeighedCard): boolean {
  return best.wins >= SURE && cards.some(({ wins }) => wins < SURE);
}

/** Says in a clause why a card is a good one. */
function sayWhy(
  { card, reasons }: WeighedCard,
  position: DealPosition,
  name: Name,
  honours: readonly Honour[],
): string {
  const found = new Set(reasons.map(({ reason }) => reason));
  const who = name(position.trick_winner ?? -1) ?? "";
  if (found.has("only_card")) return say("why.only_card");
  if (found.has("takes_trick")) return sayTaken([...position.state.trick, card], honours);
  if (found.has("gives_partner")) return say("why.gives_partner", { who });
  if (found.has("loses_trick")) return say("why.loses_trick", { who });
  if (isLeftTo({ reasons }, position)) return say("why.partner_wins", { who });
  const plain = PLAIN.find((reason) => found.has(reason));
  return plain === undefined ? say("why.best") : say(`why.${plain}`);
}

/** Returns if another has the trick surely: the service then says nothing of who takes it, or that it is lost. */
function isLeftTo({ reasons }: Pick<WeighedCard, "reasons">, { state }: DealPosition): boolean {
  const ours: readonly Reason[] = ["takes_trick", "may_take_trick", "only_card"];
  return state.trick.length > 0 && !reasons.some(({ reason }) => ours.includes(reason));
}

function sayTaken(trick: readonly Card[], honours: readonly Honour[]): string {
  const taken = trick.filter((card) => honours.some((one) => one.card === card));
  if (taken.length === 0) return say("why.takes_trick");
  return say("why.takes_points", { cards: sayList(taken.map((card) => say("hint.the", { card: sayCard(card) }))) });
}
