/** What the address of the page says after its `#`, which a browser sends to nobody. */

/** What is opened: a position in notation, or a live game, with the token of a seat unless one looks on. */
export interface Address {
  readonly position?: string;
  readonly game?: string;
  readonly token?: string;
}

const FIELDS = ["position", "game", "token"] as const;

/** Reads the part after the `#`. */
export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return Object.fromEntries(FIELDS.flatMap((field) => (given.get(field) ? [[field, given.get(field)]] : [])));
}

/** Returns the part after the `#`, with it. */
export function writeAddress(address: Address): string {
  return `#${FIELDS.flatMap((field) => (address[field] ? [`${field}=${address[field]}`] : [])).join("&")}`;
}
