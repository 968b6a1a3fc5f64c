import { writeAddress } from "../address.ts";
import type { KeptSeat } from "../kept-seats.ts";
import { Dialog } from "./dialog.tsx";

/** The live games at which this browser keeps a seat. */
export function Games({ seats, close }: { seats: readonly KeptSeat[]; close: () => void }) {
  return (
    <Dialog label="Your games" close={close}>
      <h2>Your games</h2>
      <ul class="games">
        {seats.map(({ game, seat, names }) => (
          <li key={`${game} ${seat}`}>
            <a href={writeAddress({ game, seat: String(seat) })} onClick={close}>
              {names.join(", ") || "A game"}
            </a>
            {names[seat] !== undefined && <small> as {names[seat]}</small>}
          </li>
        ))}
      </ul>
      <p class="hint">This browser keeps your seats until their games expire.</p>
    </Dialog>
  );
}
