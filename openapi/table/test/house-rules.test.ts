import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, createClient, unwrap } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { houseRules } from "../src/house-rules.ts";

test("every printed ruleset can be played to another number of points, and is itself otherwise", async () => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl });
  const { rulesets } = await unwrap(client.GET("/v1/rulesets"));
  for (const printed of rulesets) {
    assert.equal(houseRules(printed, { target: printed.target ?? 41 }), printed.id);
    const rules = houseRules(printed, { target: 61 });
    const { position } = await ask(client, "deals", { rules, players: 4 });
    assert(typeof position.state.rules === "object" && position.state.rules.target === 61);
  }
});
