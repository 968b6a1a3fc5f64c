/** What the address of the page says after its `#`, which a browser sends to nobody. */

import { type DealPosition, type DealState, ProblemError, type Ruleset } from "catch-the-ten";
import { expand, type ShortRules, shorten } from "./house-rules.ts";

/**
 * What is opened, in the order in which it is written: no text of people is the last, where a chat may add to it.
 *
 * A position in notation or, by house rules, as a state, and the seat in it. Or a live game, with the token of a seat, or
 * by seat the tokens of all that are free, unless one looks on; its host takes the token of the host along to another
 * device. Or that a game with friends is to be set up. Or a deal that is looked at: the names of its players, a line each,
 * and its record as text.
 */
const FIELDS = ["position", "state", "seat", "game", "token", "seats", "host", "friends", "names", "deal"] as const;
export type Address = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;
/** What a chat adds to the end of a link, and no link ends with. */
const ADDED = /[\s.,;:!?)>*'"’”»…]+$/;

/** Reads the part after the `#`, without what a chat has added to it. */
export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = field === "names" ? given.get(field) : given.get(field)?.replace(ADDED, "");
      return value ? [[field, value]] : [];
    }),
  );
}

/** Returns the part after the `#`, with it. */
export function writeAddress(address: Address): string {
  const said = FIELDS.flatMap((field) => (address[field] ? [`${field}=${encode(address[field])}`] : []));
  return `#${said.join("&")}`;
}

/** Returns a value as an address has it: signs that need no encoding as they are, but for those at which a chat ends a link. */
function encode(value: string): string {
  const plain = encodeURIComponent(value).replace(/%20/g, "+").replace(/%3A/g, ":").replace(/%2C/g, ",");
  return plain.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** Writes the tokens of the free seats of a table. */
export function writeSeats(tokens: readonly (string | null)[]): string {
  return tokens.map((token) => token ?? "").join(".");
}

/**
 * Reads the tokens of the free seats of a table.
 *
 * @throws {DamagedAddress} if one of them cannot be one.
 */
export function readSeats(seats: string): (string | null)[] {
  return seats.split(".").map((token) => (token ? checkToken(token) : null));
}

/** The address of a page does not say what it should. */
export class DamagedAddress extends Error {}

/**
 * Waits for what an address leads to.
 *
 * @throws {DamagedAddress} if the service says that there can be no such thing.
 */
export async function openAddress<T>(opened: Promise<T>): Promise<T> {
  try {
    return await opened;
  } catch (cause) {
    if (!(cause instanceof ProblemError) || ![400, 422].includes(cause.problem.status)) throw cause;
    throw new DamagedAddress("The link leads to nothing that there can be.", { cause });
  }
}

/** A token of a game; those that 1.0.0 made have no beginning by which one knows them. */
const TOKEN = /^(ctt_(seat|host)_)?[\w-]{43}$/;

/**
 * Returns a token of an address if it can be one.
 *
 * @throws {DamagedAddress} if a part of it is lacking.
 */
export function checkToken(token: string): string {
  if (!TOKEN.test(token)) throw new DamagedAddress("The link is not whole: its token is none.");
  return token;
}

/** Returns the address of a position, and of a seat in it. A notation names printed rules only. */
export function addressOf({ notation, state }: DealPosition, seat: number, rulesets: readonly Ruleset[]): Address {
  if (notation) return { position: notation, seat: String(seat) };
  const rules = typeof state.rules === "string" ? state.rules : shorten(state.rules, rulesets);
  return { state: JSON.stringify({ ...state, rules }), seat: String(seat) };
}

/**
 * Returns the state that an address says, for the service to judge.
 *
 * @throws {DamagedAddress} if it says none.
 */
export function readState(text: string, rulesets: readonly Ruleset[]): DealState {
  try {
    const state = JSON.parse(text) as DealState & { rules: ShortRules };
    return { ...state, rules: expand(state.rules, rulesets) };
  } catch (cause) {
    throw new DamagedAddress("The link is not whole: it leads to no game.", { cause });
  }
}
