/** What the players are called: never by the number of their seat. */

import type { GameSeat, LiveGame, Seat } from "catch-the-ten";
import type { Shown } from "./table-model.ts";
import { say, sayList } from "./words/words.ts";

/** The names of the computer players, by seat. */
const COMPUTERS = ["Una", "Isla", "Morag", "Ewan", "Ailsa", "Fergus", "Rory", "Effie"];

/** Returns the name of a computer player with whom one is alone. */
export function nameComputer(seat: Seat): string {
  return COMPUTERS[seat] ?? "";
}

type Named = Pick<GameSeat, "seat" | "name" | "computer">;
type Moved = Pick<NonNullable<LiveGame["seating"]>, "first_seats"> | null;

/**
 * Returns by seat the names of players, none twice: of those who look alike the later ones are counted, from 2.
 *
 * They go by the seats that players had first, so that who changes seats keeps the name.
 */
export function namePlayers({ seats, seating }: { seats: readonly Named[]; seating?: Moved }): string[] {
  const taken = new Set<string>();
  const names: string[] = [];
  const byFirst = seats.map((one) => ({ ...one, first: seating?.first_seats[one.seat] ?? one.seat }));
  for (const { seat, first, name, computer } of byFirst.sort((one, other) => one.first - other.first)) {
    const given = name ?? (computer ? nameComputer(first) : say("player", { number: first + 1 }));
    let shown = given;
    for (let number = 2; taken.has(fold(shown)); number += 1) shown = `${given} (${number})`;
    taken.add(fold(shown));
    names[seat] = shown;
  }
  return names;
}

/** Returns what names have in common that look alike: without case, width and blanks. */
function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/\s/g, "");
}

/** Returns the name of a seat for a sentence: undefined for oneself. */
export function nameFor({ names, me, looksOn }: Shown): (seat: Seat) => string | undefined {
  return (seat) => (seat === me && !looksOn ? undefined : (names[seat] ?? ""));
}

/** Returns what a side is called: by its players. */
export function nameSide(shown: Shown, side: number): string {
  const seats = shown.position.state.sides[side] ?? [];
  const mine = seats.includes(shown.me) && !shown.looksOn;
  if (mine && seats.length > 1) return say("score.your_side");
  return sayList(seats.map((seat) => shown.names[seat] ?? ""));
}
