// Plays many games over a bad network, and prints what went wrong with the network and what with the games:
// npm run flaky --workspace catch-the-ten -- 100
// With held or refused after the number, no event of a stream comes through, or no stream begins.
import { createClient, openGame, unwrap } from "../src/index.ts";
import { type Counts, checkGame } from "./support/check.ts";
import { BAD, BadNetwork, HELD, REFUSED, seeded } from "./support/network.ts";
import { playSeat } from "./support/player.ts";
import { Service } from "./support/service.ts";

const games = Number(process.argv[2] ?? 100);
const chances = { held: HELD, refused: REFUSED }[process.argv[3] ?? ""] ?? BAD;
const AT_ONCE = 25;

await using service = await Service.start({ STREAM_HEARTBEAT: "0.5" });
const client = createClient({ baseUrl: service.baseUrl });
const { rulesets } = await unwrap(client.GET("/v1/rulesets"));
const tables = rulesets.flatMap(({ id, tables }) => tables.map(({ players }) => ({ rules: id as "trebor", players })));
const random = seeded(7);
const total = { games: 0, wrong: 0, plays: 0, updates: 0, lostStreams: 0, polls: 0 };
const mishaps: Record<string, number> = {};

/** Plays one game at a table drawn by lot. */
async function playGame(seed: number): Promise<Counts> {
  await using network = await BadNetwork.start(service.baseUrl, chances, seed);
  const table = tables[Math.floor(random() * tables.length)] ?? { rules: "trebor" as const, players: 4 };
  const client = createClient({ baseUrl: network.baseUrl });
  const game = await openGame(client, table);
  const reports = await Promise.all(game.seats.map(({ token }) => playSeat(client, { id: game.id, token }, 1500)));
  total.polls += network.polls;
  for (const [name, times] of Object.entries(network.counts)) mishaps[name] = (mishaps[name] ?? 0) + times;
  return checkGame(service.baseUrl, game, reports);
}

let next = 1;
async function playOn(): Promise<void> {
  while (next <= games) {
    const seed = next++;
    total.games += 1;
    try {
      const counts = await playGame(seed);
      for (const name of ["plays", "updates", "lostStreams"] as const) total[name] += counts[name];
    } catch (error) {
      total.wrong += 1;
      console.error(seed, error);
    }
  }
}

const began = Date.now();
await Promise.all(Array.from({ length: AT_ONCE }, playOn));
console.log({ ...total, mishaps, seconds: Math.round((Date.now() - began) / 1000) });
process.exitCode = total.wrong ? 1 : 0;
