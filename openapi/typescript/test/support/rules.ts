import { type Client, type Ruleset, unwrap } from "../../src/index.ts";

/** Returns house rules by which a game is over after one deal. */
export async function readOneDealRules(client: Client): Promise<Ruleset> {
  const path = { ruleset_id: "trebor" } as const;
  return { ...(await unwrap(client.GET("/v1/rulesets/{ruleset_id}", { params: { path } }))), id: "one-deal", deals: 1 };
}
