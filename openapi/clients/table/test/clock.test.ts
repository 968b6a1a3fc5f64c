import assert from "node:assert/strict";
import { test } from "node:test";
import { noteTime, timeUntil } from "../src/clock.ts";

test("the time for a move is counted by the clock of the service, however wrong that of the browser is", () => {
  const service = Date.now() - 3_600_000;
  for (const late of [20_000, 0, 5000]) noteTime(new Date(service - late).toISOString());
  const left = timeUntil(new Date(service + 30_000).toISOString());
  assert.ok(Math.abs(left - 30_000) < 2000, String(left));
});
