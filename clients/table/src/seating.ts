/** Where seats and cards lie on the table: pure geometry. */

/** Returns the other seats clockwise from the left of `bottom`, the nearest: as many on the left as on the right. */
export function seatAround(bottom: number, players: number) {
  const others = Array.from({ length: players - 1 }, (_, place) => (bottom + 1 + place) % players);
  const beside = Math.round(others.length / 3);
  const last = others.length - beside;
  return { left: others.slice(0, beside), top: others.slice(beside, last), right: others.slice(last) };
}

/** Returns the direction of a seat from the middle of the table; `x` leads to the right, `y` down. */
export function directionOf(seat: number, bottom: number, players: number): { x: number; y: number } {
  const angle = Math.PI / 2 + ((seat - bottom + players) % players) * ((2 * Math.PI) / players);
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

/** Returns how a card of a hand is turned and let down, so that the hand is a fan. Units: degrees; percent of a card. */
export function fan(index: number, cards: number): { turn: number; drop: number } {
  const off = index - (cards - 1) / 2;
  const step = Math.min(3, 18 / Math.max(cards, 1));
  return { turn: off * step, drop: Math.min(9, off ** 2 * step * 0.2) };
}

/** Returns the sides of a table on which so many sides sit evenly: partners opposite. */
export function seatSides(players: number, sides: number): number[][] {
  return Array.from({ length: sides }, (_, side) =>
    Array.from({ length: players / sides }, (_, place) => side + place * sides),
  );
}
