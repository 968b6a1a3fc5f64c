/** What the address of the page says after its `#`, which a browser sends to nobody. */

/** What is opened: a position in notation. */
export interface Address {
  readonly position?: string;
}

/** Reads the part after the `#`. */
export function readAddress(hash: string): Address {
  const position = new URLSearchParams(hash.replace(/^#/, "")).get("position");
  return position ? { position } : {};
}

/** Returns the part after the `#`, with it. */
export function writeAddress({ position }: Address): string {
  return position === undefined ? "#" : `#position=${position}`;
}
