import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { promisify } from "node:util";
import { createClient, unwrap } from "../src/index.ts";
import { BadNetwork } from "./support/network.ts";
import { Service } from "./support/service.ts";

const KEY = "the-key-of-an-app";
const API_KEYS = `app:${createHash("sha256").update(KEY).digest("hex")}`;
const LOSSY = { lose_request: 0.04, lose_answer: 0.06, cut_answer: 0.02 };
const TABLES = 20;

test("the league of the examples counts each game once though answers are lost", async () => {
  await using service = await Service.start({ API_KEYS });
  await using network = await BadNetwork.start(service.baseUrl, LOSSY);
  const program = new URL("../examples/league/league.ts", import.meta.url).pathname;
  const words = ["--import", "tsx", "--conditions=catch-the-ten:source", program, network.baseUrl, KEY, `${TABLES}`];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const { table, games } = JSON.parse(stdout) as { table: Record<string, [number, number]>; games: string[] };
  assert.equal(new Set(games).size, TABLES);
  const truth: typeof table = Object.fromEntries(Object.keys(table).map((name) => [name, [0, 0]]));
  const client = createClient({ baseUrl: service.baseUrl });
  for (const game_id of games) {
    const seen = await unwrap(client.GET("/v1/games/{game_id}", { params: { path: { game_id } } }));
    for (const { name, side } of seen.seats) {
      const row = truth[name ?? ""] as [number, number];
      row[0] += 1;
      row[1] += Number(seen.position?.winners.includes(side));
    }
  }
  assert.deepEqual(table, truth);
  assert.ok(network.counts.lose_answer > 0);
});
