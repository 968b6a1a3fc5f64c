/** The way to a seat of a live game by its token. */

import { type Client, type Game, isProblem, joinGame, newKey, ProblemError, type Seat, unwrap } from "catch-the-ten";
import { type Address, checkToken, DamagedAddress, readSeats, writeAddress } from "./address.ts";
import { findSeat, findTaken, type Invitations, type KeptSeat, keepSeat } from "./kept-seats.ts";
import { read, write } from "./storage.ts";

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
 * @throws {DamagedAddress} if the token cannot be one.
 */
export async function joinAt(client: Client, id: string, token: string): Promise<Game> {
  try {
    return await joinGame(client, { id, token: checkToken(token) });
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
  if (token === undefined) return seats === undefined ? kept : (kept ?? findTaken(game) ?? tryAgain(client, address));
  const taken = findTaken(game, token);
  if (seat === undefined) return taken ?? tryAgain(client, address);
  try {
    using joined = await joinAt(client, game, token);
    if (joined.seat === null) return undefined;
    const host = await findHost(client, address);
    const link = seats === undefined ? {} : { invitations: readSeats(seats) };
    return keepSeat({ game, seat: joined.seat, token, names: [], ...link, ...(host && { host }) });
  } catch (error) {
    if ((error instanceof UsedLink || error instanceof DamagedAddress) && kept !== undefined) return kept;
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

/** A try to take a free seat that is not answered yet: the answer may be lost with the page that waits for it. */
interface Try {
  readonly game: string;
  readonly seat: Seat;
  readonly name: string;
  readonly key: string;
}

const TRY = "catch-the-ten try ";

/**
 * Takes a free seat under a name, with its token in the link of a table, and keeps it.
 *
 * The same try, after one that was not answered, gets the same token.
 *
 * @throws {ProblemError} `unknown_token` if somebody else has taken it.
 */
export async function takeFree(
  client: Client,
  token: string,
  link: Invitations,
  wanted: Omit<Try, "key">,
): Promise<KeptSeat> {
  const before = read<Try>(TRY + token);
  const tried = before?.name === wanted.name ? before : { ...wanted, key: newKey() };
  const { game, seat, name, key } = tried;
  if (before === undefined) write(TRY + token, tried);
  try {
    const call = client.POST("/v1/games/{game_id}/seats/{seat}/tokens", {
      params: { path: { game_id: game, seat }, header: { "Idempotency-Key": key } },
      headers: { Authorization: `Bearer ${token}` },
      body: { name },
    });
    const { token: renewed } = await unwrap(call);
    const invitations = link.map((one) => (one === token ? null : one));
    const kept = keepSeat({ game, seat, token: renewed, names: [], invitation: token, invitations });
    write(TRY + token, undefined);
    return kept;
  } catch (error) {
    const isRefused = error instanceof ProblemError && error.problem.status < 500;
    if (isRefused && read<Try>(TRY + token)?.key === key) write(TRY + token, undefined);
    throw error;
  }
}

/** Takes the seat that was tried before by a link, if one was. */
async function tryAgain(client: Client, { token, seats }: Address): Promise<KeptSeat | undefined> {
  const link = seats === undefined ? [] : readSeats(seats);
  for (const one of [token ?? null, ...link]) {
    const tried = one === null ? undefined : read<Try>(TRY + one);
    if (one === null || tried === undefined) continue;
    try {
      return await takeFree(client, one, link, tried);
    } catch (error) {
      if (!isProblem(error, "unknown_token")) throw error;
    }
  }
  return undefined;
}

/** Returns by seat the tokens with which an address invites to a table: of all its free seats, or of one. */
export async function readInvitations(client: Client, { game = "", token, seats }: Address): Promise<Invitations> {
  if (seats !== undefined) return readSeats(seats);
  if (token === undefined) return [];
  using joined = await joinAt(client, game, token);
  return joined.state.seats.map(({ seat }) => (seat === joined.seat ? token : null));
}
