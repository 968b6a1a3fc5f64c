import type { Client } from "./client.ts";
import type { CallOptions } from "./options.ts";
import { unwrap } from "./problems.ts";
import type { FinishedGame } from "./schema.ts";

/**
 * Follows the finished games of your app, from the oldest that is kept, or behind a `place` that you have kept.
 *
 * It waits for the next game without end. Keep the `place` of a game once you have dealt with it. After a crash a game
 * may come again: its `id` is the same.
 *
 * @param options.after The `place` of a game.
 * @param options.wait Seconds for which one request waits. By default 20, the most.
 * @throws {ProblemError} `no_apps` if the service has no API keys.
 *
 * @example
 * for await (const game of finishedGames(client, { after: saved })) saved = await count(game);
 */
export async function* finishedGames(
  client: Client,
  { after, wait = 20, signal = null }: CallOptions & { after?: string | undefined; wait?: number } = {},
): AsyncGenerator<FinishedGame> {
  let place = after;
  while (true) {
    const query = { wait, ...(place !== undefined && { after: place }) };
    const page = await unwrap(client.GET("/v1/finished-games", { params: { query }, signal }));
    yield* page.games;
    place = page.next ?? undefined;
  }
}
