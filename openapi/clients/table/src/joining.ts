/** The way to a seat of a live game by its token. */

import { type Client, type Game, isProblem, joinGame } from "catch-the-ten";
import { type Address, readSeats, writeAddress } from "./address.ts";
import { findSeat, findTaken, type Invitations, type KeptSeat, keepSeat } from "./kept-seats.ts";

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
 * @throws {UsedLink} if the seat has another token by now.
 */
export async function joinAt(client: Client, id: string, token: string): Promise<Game> {
  try {
    return await joinGame(client, { id, token });
  } catch (error) {
    if (isProblem(error, "unknown_token")) throw new UsedLink(id);
    throw error;
  }
}

/**
 * Returns the seat of one's own to which an address leads: one that is kept here, or that of a link from another device.
 *
 * The link may be old, or from anybody: it says its seat only to find one that is kept, and nothing of it is kept unless
 * its token leads to a seat.
 *
 * @throws {UsedLink} if somebody has taken the seat of the link, and this browser keeps none in its place.
 */
export async function findOwn(client: Client, address: Address): Promise<KeptSeat | undefined> {
  const { game = "", seat, token, seats } = address;
  const kept = seat === undefined ? undefined : findSeat(game, Number(seat));
  if (token === undefined) return seats === undefined ? kept : (kept ?? findTaken(game));
  const taken = findTaken(game, token);
  if (seat === undefined) return taken;
  try {
    using joined = await joinAt(client, game, token);
    if (joined.seat === null) return undefined;
    const host = await findHost(client, address);
    const link = seats === undefined ? {} : { invitations: readSeats(seats) };
    return keepSeat({ game, seat: joined.seat, token, names: [], ...link, ...(host && { host }) });
  } catch (error) {
    if (error instanceof UsedLink && kept !== undefined) return kept;
    throw error;
  }
}

/** Returns the token of the host that a link takes along to another device; undefined for another token. */
async function findHost(client: Client, { game = "", host }: Address): Promise<string | undefined> {
  if (host === undefined) return undefined;
  try {
    using joined = await joinGame(client, { id: game, token: host });
    return joined.state.role === "host" ? host : undefined;
  } catch (error) {
    if (isProblem(error, "unknown_token")) return undefined;
    throw error;
  }
}

/** Returns by seat the tokens with which an address invites to a table: of all its free seats, or of one. */
export async function readInvitations(client: Client, { game = "", token, seats }: Address): Promise<Invitations> {
  if (seats !== undefined) return readSeats(seats);
  if (token === undefined) return [];
  using joined = await joinAt(client, game, token);
  return joined.state.seats.map(({ seat }) => (seat === joined.seat ? token : null));
}
