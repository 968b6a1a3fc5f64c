/** The seat of this window at a live game, kept in the browser, and the links that its owner has given out. */

import { type Client, type Game, isProblem, joinGame, type Seat } from "catch-the-ten";
import { type Hosted, type KeptSeat, keepSeat } from "./kept-seats.ts";
import { nameSeat } from "./names.ts";

/** Keeps a seat; none for who looks on. */
export class SeatKeeper {
  readonly #client: Client;
  readonly #game: Game;
  #kept: KeptSeat | undefined;

  constructor(client: Client, game: Game, kept: KeptSeat | undefined) {
    this.#client = client;
    this.#game = game;
    this.#kept = kept;
  }

  get kept(): KeptSeat | undefined {
    return this.#kept;
  }

  /** By seat the token of a link that the host has given out, null if it was used. */
  get invitations(): readonly (string | null)[] {
    return this.#kept?.hosted?.invitations ?? [];
  }

  /** Keeps the seat in the browser for as long as the game lives, with what is known of it now. */
  keep(hosted: Hosted | undefined = this.#kept?.hosted): void {
    if (this.#kept === undefined) return;
    const { seats, expires_at: expires } = this.#game.state;
    const names = seats.map(nameSeat);
    this.#kept = { ...this.#kept, names, expires, ...(hosted && { hosted }) };
    keepSeat(this.#kept);
  }

  setInvitation(seat: Seat, token: string | null): void {
    const hosted = this.#kept?.hosted;
    if (hosted === undefined) return;
    this.keep({ ...hosted, invitations: hosted.invitations.with(seat, token) });
  }

  /** Finds out which of the links that the host has given out were used. */
  async findTaken(): Promise<void> {
    const { id } = this.#game;
    for (const [seat, token] of [...this.invitations.entries()]) {
      if (!token) continue;
      try {
        (await joinGame(this.#client, { id, token })).close();
      } catch (error) {
        if (!isProblem(error, "unknown_token")) throw error;
        // Unless the host has made a new link meanwhile.
        if (this.invitations[seat] === token) this.setInvitation(seat, null);
      }
    }
  }
}
