import type { Client } from "./client.ts";
import { Game } from "./game.ts";
import { newKey } from "./key.ts";
import type { CallOptions, Invitation } from "./options.ts";
import { unwrap } from "./problems.ts";
import type { GameSetup, OpenedGame } from "./schema.ts";

/**
 * Opens a game, and returns its id and its tokens, which the service shows only this once.
 *
 * @param body The rules, and either the players or the sides.
 * @param options.idempotencyKey A text that nobody can guess: the same key opens the same game. By default a new one.
 *
 * @example
 * const { id, seats, host_token } = await openGame(client, { rules: "trebor", players: 4 });
 */
export function openGame(
  client: Client,
  body: GameSetup,
  { idempotencyKey = newKey(), signal = null }: CallOptions & { idempotencyKey?: string } = {},
): Promise<OpenedGame> {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  return unwrap(client.POST("/v1/games", { params, body, signal }));
}

/**
 * Joins a game: at a seat, as its host, or as a spectator, as the token says.
 *
 * @throws {ProblemError} `no_such_game` or `game_gone` if the game is not there; `unknown_token` if the token is not of this game.
 *
 * @example
 * const game = await joinGame(client, { id, token });
 * for await (const { state, events } of game.changes()) draw(state, events);
 */
export function joinGame(client: Client, invitation: Invitation, options: CallOptions = {}): Promise<Game> {
  return Game.join(client, invitation, options);
}
