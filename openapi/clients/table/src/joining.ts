/** The way to a seat of a live game by its token. */

import { type Client, type Game, isProblem, joinGame } from "catch-the-ten";
import { writeAddress } from "./address.ts";

/** The seat cannot be had with this link. `watching` is the address to look on. */
export class UsedLink extends Error {
  readonly watching: string;

  constructor(game: string) {
    super("The seat is taken.");
    this.watching = writeAddress({ game });
  }
}

/**
 * Joins a game with the token of a seat.
 *
 * @throws {UsedLink} if the seat has another token by now; `forget` is called before.
 */
export async function joinAt(client: Client, id: string, token: string, forget = (): void => undefined): Promise<Game> {
  try {
    return await joinGame(client, { id, token });
  } catch (error) {
    if (isProblem(error, "unknown_token", "not_found")) forget();
    if (isProblem(error, "unknown_token")) throw new UsedLink(id);
    throw error;
  }
}
