/** What the players are called: never by the number of their seat. */

import type { GameSeat, Seat } from "catch-the-ten";
import type { Shown } from "./table-model.ts";
import { say, sayList } from "./words/words.ts";

/** The names of the computer players, by seat. */
const COMPUTERS = ["Una", "Isla", "Morag", "Ewan", "Ailsa", "Fergus", "Rory", "Effie"];

/** Returns the name of a computer player with whom one is alone. */
export function nameComputer(seat: Seat): string {
  return COMPUTERS[seat] ?? "";
}

type Named = Pick<GameSeat, "seat" | "name" | "computer">;

/** Returns the name of a player of a live game; a person who gave none is counted from 1. */
export function namePlayer({ seat, name, computer }: Named): string {
  return name ?? (computer ? nameComputer(seat) : say("player", { number: seat + 1 }));
}

/** Returns the name of a player, marked if the computer plays the seat. */
export function nameSeat(seat: Named): string {
  return seat.computer ? say("computer", { name: namePlayer(seat) }) : namePlayer(seat);
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
