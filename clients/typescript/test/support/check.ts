import assert from "node:assert/strict";
import { setPresent } from "../../src/fold.ts";
import { ask, createClient, type GameEvent, joinGame, type OpenedGame } from "../../src/index.ts";
import type { Report } from "./player.ts";

/** The counts of one game. */
export interface Counts {
  plays: number;
  updates: number;
  lostStreams: number;
}

/**
 * Holds that every seat saw every change of a game once and in order, that each card was played once, that the record
 * stands before the rules, and that the last update shows the game as the service has it.
 */
export async function checkGame(baseUrl: string, game: OpenedGame, reports: readonly Report[]): Promise<Counts> {
  const client = createClient({ baseUrl });
  const record = await (await joinGame(client, { id: game.id })).record();
  const plays = record.deals.flatMap((deal) => deal.plays);
  for (const [seat, report] of reports.entries()) {
    const first = report.versions[0] ?? 0;
    const last = 1 + record.deals.length + plays.length;
    assert.deepEqual(
      report.versions,
      Array.from({ length: last - first + 1 }, (_, at) => first + at),
    );
    assert.equal(report.wholes, 1);
    assert.deepEqual(
      cardsOf(report.events),
      plays.map(({ seat, card }) => [seat, card]).slice(-cardsOf(report.events).length),
    );
    const shown = await joinGame(client, { id: game.id, token: game.seats[seat]?.token });
    assert.deepEqual(setPresent(report.last, []), setPresent(shown.state, []));
  }
  const { winners, irregularities } = await ask(client, "adjudications", record);
  assert.deepEqual(irregularities, []);
  assert.notEqual(winners.length, 0); // sides that end level win together
  return {
    plays: plays.length,
    updates: reports.reduce((sum, { versions }) => sum + versions.length, 0),
    lostStreams: reports.reduce((sum, { lost }) => sum + lost, 0),
  };
}

function cardsOf(events: readonly GameEvent[]) {
  return events.flatMap((event) => (event.type === "card_played" ? [[event.seat, event.card]] : []));
}
