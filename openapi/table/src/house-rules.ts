/** House rules: a printed ruleset with something changed. */

import type { Rules, Ruleset } from "catch-the-ten";

/** What the page lets a table change. */
export interface Changes {
  /** The points at which the game is won. */
  readonly target: number;
}

/** Returns the id of a printed ruleset or, if something is changed, a ruleset with an id and a name of its own. */
export function houseRules(printed: Ruleset, { target }: Changes): Rules {
  if (target === printed.target) return printed.id as Rules;
  const { target: _, ...sources } = printed.sources ?? {};
  return { ...printed, id: "house", name: `${printed.name} to ${target}`.slice(0, 60), target, sources };
}
