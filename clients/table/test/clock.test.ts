import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../src/clock.ts";

test("the time for a move is counted by the clock of the service, however wrong that of the browser is", () => {
  const service = Date.now() - 3_600_000;
  const clock = new Clock({ now: () => service + 3_600_000, later: () => () => undefined });
  for (const late of [20_000, 0, 5000]) clock.note(new Date(service - late).toISOString());
  assert.equal(clock.until(new Date(service + 30_000).toISOString()), 30_000);
});
