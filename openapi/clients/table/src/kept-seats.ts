/**
 * The seats at live games that this browser keeps until the service says that the games are gone, whatever windows are
 * closed.
 *
 * Each is an entry of its own, so that two windows at two seats of one game do not overwrite each other.
 */

import { type Client, isProblem, joinGame, type Seat } from "catch-the-ten";
import { keys, read, write } from "./storage.ts";

/** A seat at a live game. */
export interface KeptSeat {
  readonly game: string;
  readonly seat: Seat;
  readonly token: string;
  /** The token of the link with which the seat was taken: the same link leads back to it. */
  readonly invitation?: string;
  /** At the seat of who opened the game: the token of the host, and by seat the token of a link, null if it is taken. */
  readonly hosted?: Hosted;
  /** The names of all players, as they were last seen. */
  readonly names: readonly string[];
}

/** What the opener of a game holds. */
export interface Hosted {
  readonly token: string;
  readonly invitations: readonly (string | null)[];
}

const START = "catch-the-ten seat ";

const keyOf = (game: string, seat: Seat): string => `${START}${game} ${seat}`;

/**
 * Keeps a seat with the token that leads to it, and returns what is kept of it now: what was known of it before stays, and
 * what its host holds is never written over.
 */
export function keepSeat(kept: KeptSeat): KeptSeat {
  const before = findSeat(kept.game, kept.seat);
  const { names, hosted } = { ...kept, ...before };
  return writeSeat({ ...before, ...kept, names, ...(hosted && { hosted }) });
}

/** Changes what is kept of a seat, as another window may have left it, and returns what is kept now. */
export function changeSeat(kept: KeptSeat, change: Partial<Pick<KeptSeat, "names" | "hosted">>): KeptSeat {
  return writeSeat({ ...(findSeat(kept.game, kept.seat) ?? kept), ...change });
}

function writeSeat(kept: KeptSeat): KeptSeat {
  write(keyOf(kept.game, kept.seat), kept);
  return kept;
}

/** Drops a seat if an error of the service says that its game is gone; returns true then. */
export function dropIfGone({ game, seat }: KeptSeat, error: unknown): boolean {
  const isGone = isProblem(error, "no_such_game", "game_gone");
  if (isGone) write(keyOf(game, seat), undefined);
  return isGone;
}

/** Asks for the game of each seat, and drops the seats whose games are gone. */
export async function dropGone(client: Client): Promise<void> {
  for (const kept of listSeats()) {
    try {
      (await joinGame(client, { id: kept.game })).close();
    } catch (error) {
      if (!dropIfGone(kept, error)) throw error;
    }
  }
}

export function findSeat(game: string, seat: Seat): KeptSeat | undefined {
  return read(keyOf(game, seat));
}

/** Returns the seat to which a token leads: its own, or the one of the link with which it was taken. */
export function findTaken(game: string, token: string): KeptSeat | undefined {
  return listSeats().find((kept) => kept.game === game && [kept.token, kept.invitation].includes(token));
}

export function listSeats(): KeptSeat[] {
  return keys(START).flatMap((key) => read<KeptSeat>(key) ?? []);
}
