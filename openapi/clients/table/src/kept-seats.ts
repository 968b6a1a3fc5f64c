/**
 * The seats at live games that this browser keeps for as long as the games live, whatever windows are closed.
 *
 * Each is an entry of its own, so that two windows at two seats of one game do not overwrite each other.
 */

import type { Seat } from "catch-the-ten";
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
  /** When the game expires if nothing changes it, as it was last seen. */
  readonly expires: string;
}

/** What the opener of a game holds. */
export interface Hosted {
  readonly token: string;
  readonly invitations: readonly (string | null)[];
}

const START = "catch-the-ten seat ";
/** Milliseconds until a game expires of which no more is known than its id. */
const UNKNOWN = 600_000;

const keyOf = (game: string, seat: Seat): string => `${START}${game} ${seat}`;

/** Returns a seat of which no more is known than how to come to it. */
export function newSeat(game: string, seat: Seat, token: string): KeptSeat {
  return { game, seat, token, names: [], expires: new Date(Date.now() + UNKNOWN).toISOString() };
}

export function keepSeat(kept: KeptSeat): void {
  write(keyOf(kept.game, kept.seat), kept);
}

export function dropSeat({ game, seat }: Pick<KeptSeat, "game" | "seat">): void {
  write(keyOf(game, seat), undefined);
}

export function findSeat(game: string, seat: Seat): KeptSeat | undefined {
  return read(keyOf(game, seat));
}

/** Returns the seat that was taken with a link. */
export function findTaken(game: string, invitation: string): KeptSeat | undefined {
  return listSeats().find((kept) => kept.game === game && kept.invitation === invitation);
}

/** Returns the seats whose games live, and drops the others. */
export function listSeats(): KeptSeat[] {
  const all = keys(START).flatMap((key) => read<KeptSeat>(key) ?? []);
  const live = (kept: KeptSeat): boolean => Date.parse(kept.expires) > Date.now();
  for (const kept of all) if (!live(kept)) dropSeat(kept);
  return all.filter(live);
}
