import { type Client, type Ruleset, unwrap } from "../../src/index.ts";

/** Returns house rules by which a game is over after one whole deal: nobody reaches the target before. */
export async function readOneDealRules(client: Client): Promise<Ruleset> {
  const path = { ruleset_id: "trebor" } as const;
  const rules = await unwrap(client.GET("/v1/rulesets/{ruleset_id}", { params: { path } }));
  return { ...rules, id: "one-deal", deals: 1, target: 1000 };
}
