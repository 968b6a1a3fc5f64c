/** The seat of this window at a live game, kept in the browser, and the way to the seats that are free. */

import { type Client, type Game, type GameSeat, isProblem, joinGame, type Seat } from "catch-the-ten";
import { takeFree, UsedLink } from "./joining.ts";
import { changeSeat, dropIfGone, findSeat, type Invitations, type KeptSeat } from "./kept-seats.ts";
import { namePlayers } from "./names.ts";

/** Returns if a guest may still take a seat from the computer: nobody has given it a name. */
export function isOpen({ computer, name }: GameSeat): boolean {
  return computer !== null && name === null;
}

/** Keeps a seat, which other windows of the browser may change, too; who looks on has none. */
export class SeatKeeper {
  readonly #client: Client;
  readonly #game: Game;
  readonly #kept: KeptSeat | undefined;
  /** What the link of the table says to who has no seat yet. */
  #link: Invitations;
  /** The seats of the computer whose hands the link does not lead to any more. */
  readonly #void = new Set<Seat>();

  constructor(client: Client, game: Game, kept: KeptSeat | undefined, link: Invitations) {
    this.#client = client;
    this.#game = game;
    this.#kept = kept;
    this.#link = link;
  }

  get kept(): KeptSeat | undefined {
    const found = this.#kept && findSeat(this.#kept.game, this.#kept.seat);
    return found?.token === this.#kept?.token ? found : this.#kept;
  }

  /** True once one sits elsewhere than the browser keeps it. */
  get hasMoved(): boolean {
    const { seat } = this.#game;
    return this.#kept !== undefined && seat !== null && seat !== this.#kept.seat;
  }

  /** By seat, as they were numbered first, the token of the table's link; null if it was used; [] without such a link. */
  get link(): Invitations {
    return this.kept?.invitations ?? this.#link;
  }

  /** The same by seat as they are numbered now. */
  get invitations(): Invitations {
    const { link } = this;
    const first = this.#game.state.seating?.first_seats;
    return first && link.length > 0 ? first.map((seat) => link[seat] ?? null) : link;
  }

  /** Keeps the names of the players as they are now, and what it takes to open the table again. */
  keepTable(): void {
    if (this.#kept === undefined) return;
    const { seats, sides, rules, move_seconds: moveSeconds, take_back: takeBack } = this.#game.state;
    const given = seats.map(({ name }) => name);
    const setup = { rules, players: seats.length, sides: sides.length, moveSeconds, takeBack, given };
    changeSeat(this.#kept, { names: namePlayers(this.#game.state), setup });
  }

  setInvitation(seat: Seat, token: string | null): void {
    const first = this.#game.state.seating?.first_seats[seat] ?? seat;
    const invitations = this.#game.state.seats.map((one) =>
      one.seat === first ? token : (this.link[one.seat] ?? null),
    );
    if (this.#kept) changeSeat(this.#kept, { invitations });
    else this.#link = invitations;
  }

  /** Returns the error, which has what was kept if it says that the game is gone. */
  dropIfGone(error: unknown): unknown {
    return this.kept ? dropIfGone(this.kept, error) : error;
  }

  /** Finds out which of the seats to which the link leads were taken: none of the computer's that is open. */
  async findTaken(): Promise<void> {
    await Promise.all(this.#game.state.seats.map((one) => isOpen(one) || this.#leadsTo(one.seat)));
  }

  /** Returns true if the link leads to a seat. */
  #leadsTo(seat: Seat): Promise<boolean | undefined> {
    return this.#try(seat, this.invitations[seat], async (token) => {
      (await joinGame(this.#client, { id: this.#game.id, token })).close();
      return true;
    });
  }

  /** Makes a new link for a seat, by the host, unless the link leads there already. */
  async reopen(seat: Seat, host: Game): Promise<void> {
    if (!(await this.#leadsTo(seat))) this.setInvitation(seat, await host.renewToken({ seat }));
  }

  /**
   * Takes a free seat under a name, or the next one where somebody was faster, and keeps it: the link leads back to it.
   *
   * @throws {UsedLink} if no seat is free.
   */
  async take(wanted: Seat, name: string): Promise<KeptSeat> {
    const { rematch } = await this.#game.refresh();
    const [before, after] = [this.invitations.slice(0, wanted), this.invitations.slice(wanted)];
    for (const token of [...after, ...before]) {
      const seat = this.invitations.indexOf(token);
      const tried = { game: rematch ?? this.#game.id, seat, name };
      const taken = await this.#try(seat, token, (free) => takeFree(this.#client, free, this.link, tried));
      if (taken) return taken;
    }
    throw new UsedLink(this.#game.id);
  }

  /** Makes the link lead to no hand of a computer before cards are dealt; who comes late may still take an open seat. */
  async voidComputers(): Promise<void> {
    for (const { seat, computer } of this.#game.state.seats) if (computer !== null) await this.voidInvitation(seat);
  }

  /** Makes the token of the link void for a free seat that the computer plays, but for taking the seat. */
  async voidInvitation(seat: Seat): Promise<void> {
    const token = this.invitations[seat];
    if (!token || this.#void.has(seat)) return;
    try {
      using game = await joinGame(this.#client, { id: this.#game.id, token });
      await game.renewToken();
    } catch (error) {
      if (!isProblem(error, "unknown_token")) throw error; // another window has done so
    }
    this.#void.add(seat);
  }

  /** Does something with the token of a free seat; returns undefined if somebody has taken that. */
  async #try<T>(
    seat: Seat,
    token: string | null | undefined,
    act: (token: string) => Promise<T>,
  ): Promise<T | undefined> {
    if (!token) return undefined;
    try {
      return await act(token);
    } catch (error) {
      if (!isProblem(error, "unknown_token")) throw error;
      // Unless the host has made a new link meanwhile.
      if (this.invitations[seat] === token) this.setInvitation(seat, null);
      return undefined;
    }
  }
}
