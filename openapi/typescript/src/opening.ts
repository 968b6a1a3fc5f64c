import type { Client } from "./client.ts";
import type { CallOptions } from "./options.ts";
import { unwrap } from "./problems.ts";
import type { NewGameOfPlayers, NewGameOfSides, OpenedGame } from "./schema.ts";

/**
 * Opens a game, and returns its id and its tokens, which the service shows only this once.
 *
 * @param body The rules, and the players or the sides.
 * @param options.idempotencyKey A text that nobody can guess: the same key opens the same game. By default a new one.
 *
 * @example
 * const { id, tokens, host_token } = await openGame(client, { rules: "trebor", players: 4 });
 */
export function openGame(
  client: Client,
  body: NewGameOfPlayers | NewGameOfSides,
  { idempotencyKey = newKey(), signal = null }: CallOptions & { idempotencyKey?: string } = {},
): Promise<OpenedGame> {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  return unwrap(client.POST("/v1/games", { params, body, signal }));
}

/** Draws 128 bits as a text; also where a page is not served by HTTPS, and has no `crypto.randomUUID`. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
