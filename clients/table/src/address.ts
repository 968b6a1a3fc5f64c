/** What the address of the page says after its `#`, which a browser sends to nobody. */

import type { DealPosition, DealState, Ruleset } from "catch-the-ten";
import { expand, type ShortRules, shorten } from "./house-rules.ts";

/**
 * What is opened: a position in notation or, by house rules, as a state, and the seat in it; or a live game, with the
 * token of a seat, or by seat the tokens of all that are free, unless one looks on. Its host takes the token of the host
 * along to another device.
 */
export interface Address {
  readonly position?: string;
  readonly state?: string;
  readonly seat?: string;
  readonly game?: string;
  readonly token?: string;
  readonly seats?: string;
  readonly host?: string;
  /** A game with friends is to be set up. */
  readonly friends?: string;
  /** A deal that is looked at: its record as text; and the names of its players, a line each. */
  readonly deal?: string;
  readonly names?: string;
}

const FIELDS = ["position", "state", "seat", "game", "token", "seats", "host", "friends", "deal", "names"] as const;

/** Reads the part after the `#`. */
export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(FIELDS.flatMap((field) => (given.get(field) ? [[field, given.get(field)]] : [])));
}

/** Returns the part after the `#`, with it. */
export function writeAddress(address: Address): string {
  const said = FIELDS.flatMap((field) => (address[field] ? [`${field}=${encode(address[field])}`] : []));
  return `#${said.join("&")}`;
}

/** Returns a value as an address has it, with signs that need no encoding there as they are. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(/%20/g, "+").replace(/%3A/g, ":").replace(/%2C/g, ",");
}

/** Writes the tokens of the free seats of a table. */
export function writeSeats(tokens: readonly (string | null)[]): string {
  return tokens.map((token) => token ?? "").join(".");
}

/** Reads the tokens of the free seats of a table. */
export function readSeats(seats: string): (string | null)[] {
  return seats.split(".").map((token) => token || null);
}

/** The address of a page does not say what it should. `message` is a text to show to people. */
export class DamagedAddress extends Error {}

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
