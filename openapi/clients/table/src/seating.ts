/** Where seats and cards lie on the table: pure geometry, in parts of the width and the height of the felt. */

/** A place on the felt, in percent of its width and height from the upper left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Returns the direction of a seat from the middle of the table, in radians clockwise from the right. */
function direction(seat: number, bottom: number, players: number): number {
  return Math.PI / 2 + ((seat - bottom + players) % players) * ((2 * Math.PI) / players);
}

/** Returns where a seat is, the seat `bottom` nearest to who looks on and the others clockwise from it. */
export function placeSeat(seat: number, bottom: number, players: number): Place {
  const angle = direction(seat, bottom, players);
  return { x: 50 + 42 * Math.cos(angle), y: 49 + 39 * Math.sin(angle) };
}

/** Returns where the card of a seat lies in the trick. */
export function placePlayed(seat: number, bottom: number, players: number): Place {
  const angle = direction(seat, bottom, players);
  const reach = players > 5 ? 1.35 : 1;
  return { x: 50 + 11.5 * reach * Math.cos(angle), y: 54 + 13.5 * reach * Math.sin(angle) };
}

/** Returns how a card of a hand is turned and let down, so that the hand is a fan. Units: degrees; percent of a card. */
export function fan(index: number, cards: number): { turn: number; drop: number } {
  const off = index - (cards - 1) / 2;
  const step = Math.min(3, 18 / Math.max(cards, 1));
  return { turn: off * step, drop: Math.abs(off) ** 2 * step * 0.2 };
}

/** Returns the sides of a table on which so many sides sit evenly: partners opposite. */
export function seatSides(players: number, sides: number): number[][] {
  return Array.from({ length: sides }, (_, side) =>
    Array.from({ length: players / sides }, (_, place) => side + place * sides),
  );
}
