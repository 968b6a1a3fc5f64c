/** The seat of this window at a live game, kept in the browser, and the links that its owner has given out. */

import { type Client, type Game, isProblem, joinGame, type Seat } from "catch-the-ten";
import { changeSeat, dropIfGone, findSeat, type KeptSeat } from "./kept-seats.ts";
import { nameSeat } from "./names.ts";

/** Keeps a seat, which other windows of the browser may change, too; none for who looks on. */
export class SeatKeeper {
  readonly #client: Client;
  readonly #game: Game;
  readonly #kept: KeptSeat | undefined;

  constructor(client: Client, game: Game, kept: KeptSeat | undefined) {
    this.#client = client;
    this.#game = game;
    this.#kept = kept;
  }

  get kept(): KeptSeat | undefined {
    return this.#kept && (findSeat(this.#kept.game, this.#kept.seat) ?? this.#kept);
  }

  /** By seat the token of a link that the host has given out, null if it was used. */
  get invitations(): readonly (string | null)[] {
    return this.kept?.hosted?.invitations ?? [];
  }

  /** Keeps the names of the players as they are now. */
  keepNames(): void {
    if (this.#kept) changeSeat(this.#kept, { names: this.#game.state.seats.map(nameSeat) });
  }

  setInvitation(seat: Seat, token: string | null): void {
    const kept = this.kept;
    if (kept?.hosted === undefined) return;
    changeSeat(kept, { hosted: { ...kept.hosted, invitations: kept.hosted.invitations.with(seat, token) } });
  }

  /** Drops the seat if an error of the service says that the game is gone. */
  dropIfGone(error: unknown): void {
    if (this.#kept) dropIfGone(this.#kept, error);
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
