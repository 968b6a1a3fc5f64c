/** About how long a game takes. */

import type { Ruleset } from "catch-the-ten";
import { listHonours } from "./rule-words.ts";

/** Seconds that people take to play a card, and to look at a count before the next deal. */
const CARD = 7;
const COUNT = 30;
/** Minutes: no estimate is finer. */
const STEP = 5;

/** Returns about how many minutes a game takes, in steps of five. */
export function estimateMinutes(rules: Ruleset, players: number, sides: number): number {
  const table = rules.tables.find((one) => one.players === players);
  const [hands, cards] = [table?.hands ?? 1, table?.cards ?? 9];
  const plays = players * hands * cards;
  const honours = listHonours(rules, "H").reduce((sum, { points }) => sum + points, 0);
  const scored = honours + { none: 0, tricks: hands * cards, above_share: plays / 6 }[rules.card_points];
  // Who wins has made about half as much again as the others.
  const deals = Math.min(
    rules.deals ?? 100,
    Math.ceil(((rules.target ?? Number.POSITIVE_INFINITY) * sides) / (1.5 * scored)),
  );
  return Math.max(1, Math.round((deals * (plays * CARD + COUNT)) / 60 / STEP)) * STEP;
}
