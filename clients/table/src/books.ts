/** The rulesets of the service: read once, and told of a table. */

import { type Rules, type Ruleset, unwrap } from "catch-the-ten";
import { findPrinted, findRules } from "./house-rules.ts";
import type { PageClient } from "./patience.ts";
import type { Choice } from "./solo.ts";

/** A table whose rules are told. */
export interface Told {
  readonly rules: Ruleset;
  /** The printed rules that they are, or were before something was changed. */
  readonly printed: Ruleset;
  readonly players: number;
  readonly sides: number;
}

export class Books {
  rulesets: readonly Ruleset[] = [];
  readonly #client: PageClient;
  #reading: Promise<readonly Ruleset[]> | undefined;

  constructor(client: PageClient) {
    this.#client = client;
  }

  /** Reads the rulesets, once. */
  async read(): Promise<readonly Ruleset[]> {
    this.#reading ??= unwrap(this.#client.GET("/v1/rulesets")).then((answer) => answer.rulesets);
    try {
      this.rulesets = await this.#reading;
      return this.rulesets;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
  }

  /** Returns a choice with rules: until one has chosen, the first by which so many players usually make so many sides. */
  withRules(choice: Choice): Choice {
    const usual = this.rulesets.find(({ tables }) =>
      tables.some(({ players, sides }) => players === choice.players && sides[0] === choice.sides),
    );
    return { ...choice, rules: choice.rules || ((usual?.id ?? "") as Choice["rules"]) };
  }

  /** Returns the rules by which a table plays; undefined until they are read. */
  tell(given: Rules, { players, sides }: { players: number; sides: number }): Told | undefined {
    const [rules, printed] = [findRules(given, this.rulesets), findPrinted(given, this.rulesets)];
    return rules && printed && { rules, printed, players, sides };
  }
}
