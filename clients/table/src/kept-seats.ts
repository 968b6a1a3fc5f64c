/**
 * The seats at live games that this browser keeps until the service says that the games are gone, whatever windows are
 * closed.
 *
 * Each is an entry of its own, so that two windows at two seats of one game do not overwrite each other.
 */

import {
  type Client,
  type GameAnswer,
  type GameSummary,
  isProblem,
  type ProblemCode,
  type ProblemError,
  type Seat,
  unwrap,
} from "catch-the-ten";
import type { Choice } from "./solo.ts";
import { keys, read, write } from "./storage.ts";

/** A seat at a live game. */
export interface KeptSeat {
  readonly game: string;
  readonly seat: Seat;
  readonly token: string;
  /** The token of the link with which the seat was taken: the same link leads back to it. */
  readonly invitation?: string;
  /** By seat, as they were numbered first, the token that the link of the table has for it, null if it is taken. */
  readonly invitations?: Invitations;
  /** The token of the host, where one is it. */
  readonly host?: string;
  /** The names of all players, as they were last seen. */
  readonly names: readonly string[];
  /** How the same people open the table again. */
  readonly setup?: Setup;
}

export type Invitations = readonly (string | null)[];

/** What a table is opened with, and by seat the name that its player gave. */
export type Setup = Pick<Choice, "rules" | "players" | "sides" | "moveSeconds" | "takeBack"> & {
  readonly given: readonly (string | null)[];
};

/** The game of a seat is gone: what the browser kept of it. */
export class GoneTable extends Error {
  readonly kept: KeptSeat;
  override readonly cause: ProblemError;

  constructor(kept: KeptSeat, cause: ProblemError) {
    super(cause.message);
    this.kept = kept;
    this.cause = cause;
  }
}

const START = "catch-the-ten seat ";
/** The problems of a game that is gone. */
const GONE: readonly ProblemCode[] = ["no_such_game", "game_gone"];

const keyOf = (game: string, seat: Seat): string => `${START}${game} ${seat}`;

/**
 * Keeps a seat with the token that leads to it, and returns what is kept of it now: what was known of it before stays, and
 * what its host holds is never written over.
 */
export function keepSeat(kept: KeptSeat): KeptSeat {
  const before = findSeat(kept.game, kept.seat);
  if (before === undefined) return writeSeat(kept);
  const { token: _, invitation: __, ...held } = before;
  return writeSeat({ ...before, ...kept, ...held });
}

/** Changes what is kept of a seat, as another window may have left it, and returns what is kept now. */
export function changeSeat(
  kept: KeptSeat,
  change: Partial<Pick<KeptSeat, "names" | "invitations" | "setup">>,
): KeptSeat {
  return writeSeat({ ...(findSeat(kept.game, kept.seat) ?? kept), ...change });
}

function writeSeat(kept: KeptSeat): KeptSeat {
  write(keyOf(kept.game, kept.seat), kept);
  return kept;
}

/**
 * Keeps a seat where its player sits now, and returns what is kept of it.
 *
 * Another player's seat that was kept there changes places with it: it is put right when that player comes back.
 */
export function moveSeat(kept: KeptSeat, seat: Seat): KeptSeat {
  const there = findSeat(kept.game, seat);
  if (there?.token === kept.token) return there;
  const isHere = findSeat(kept.game, kept.seat)?.token === kept.token;
  if (isHere) write(keyOf(kept.game, kept.seat), there && { ...there, seat: kept.seat });
  return writeSeat({ ...kept, seat });
}

/** Drops a seat if an error of the service says that its game is gone; returns the error, which then has the seat. */
export function dropIfGone(kept: KeptSeat, error: unknown): unknown {
  if (!isProblem(error, ...GONE)) return error;
  write(keyOf(kept.game, kept.seat), undefined);
  return new GoneTable(kept, error);
}

/** A game at which a seat is kept, as anybody sees it now. */
export interface KeptTable {
  readonly kept: KeptSeat;
  readonly state: GameSummary;
}

/** Asks for the games of all seats, 50 at a time: one's turn comes first, and the seats of games that are gone are dropped. */
export async function findTables(client: Client): Promise<KeptTable[]> {
  const seats = listSeats();
  const answers: GameAnswer[] = [];
  while (answers.length < seats.length) {
    const games = seats.slice(answers.length, answers.length + 50).map(({ game: id }) => ({ id }));
    answers.push(...(await unwrap(client.POST("/v1/my-games", { body: { games } }))).answers);
  }
  const tables = seats.flatMap((kept, at) => {
    const { answer: state = null, problem } = answers[at] ?? {};
    if (problem && GONE.includes(problem.code)) write(keyOf(kept.game, kept.seat), undefined);
    return state ? { kept, state } : [];
  });
  const place = ({ kept, state: { turn } }: KeptTable): number => (turn === kept.seat ? 0 : 1);
  return tables.sort((one, other) => place(one) - place(other));
}

export function findSeat(game: string, seat: Seat): KeptSeat | undefined {
  return read(keyOf(game, seat));
}

/** Returns the seat to which a token leads: its own, or that of the link with which it was taken; without one, any seat. */
export function findTaken(game: string, token?: string): KeptSeat | undefined {
  const seats = listSeats().filter((kept) => kept.game === game);
  return token === undefined ? seats[0] : seats.find((kept) => [kept.token, kept.invitation].includes(token));
}

export function listSeats(): KeptSeat[] {
  return keys(START).flatMap((key) => read<KeptSeat>(key) ?? []);
}
