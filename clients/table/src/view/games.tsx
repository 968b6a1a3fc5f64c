import { writeAddress } from "../address.ts";
import type { KeptSeat } from "../kept-seats.ts";
import { say } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";

/** The live games at which this browser keeps a seat. */
export function Games({ seats, close }: { seats: readonly KeptSeat[]; close: () => void }) {
  return (
    <Dialog label={say("bar.games")} close={close}>
      <h2>{say("bar.games")}</h2>
      <ul class="games">
        {seats.map(({ game, seat, names }) => (
          <li key={`${game} ${seat}`}>
            <a href={writeAddress({ game, seat: String(seat) })} onClick={close}>
              {names.join(", ") || say("games.a_game")}
            </a>
            {names[seat] !== undefined && <small> {say("games.as", { name: names[seat] })}</small>}
          </li>
        ))}
      </ul>
      <p class="hint">{say("games.kept")}</p>
    </Dialog>
  );
}
