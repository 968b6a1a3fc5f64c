import type { GameSummary, Seat } from "catch-the-ten";
import { writeAddress } from "../address.ts";
import type { KeptSeat, KeptTable } from "../kept-seats.ts";
import { namePlayers } from "../names.ts";
import { say, sayList } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";

interface Props {
  readonly seats: readonly KeptSeat[];
  /** Their games, as far as they are known. */
  readonly tables: readonly KeptTable[];
  readonly close?: () => void;
}

/** The live games at which this browser keeps a seat, each with whose turn it is. */
export function Games({ close = () => undefined, ...props }: Props) {
  return (
    <Dialog label={say("bar.games")} close={close}>
      <h2>{say("bar.games")}</h2>
      <GameList {...props} close={close} />
      <p class="hint">{say("games.kept")}</p>
    </Dialog>
  );
}

/** What is offered to who comes back: the seats that are kept, or to play alone. */
export function ComeBack({ playAlone, ...props }: Props & { playAlone: () => void }) {
  return (
    <section class="lobby" aria-label={say("bar.games")}>
      <h2>{say("bar.games")}</h2>
      <GameList {...props} />
      <button type="button" onClick={playAlone}>
        {say("games.alone")}
      </button>
    </section>
  );
}

function GameList({ seats, tables, close }: Props) {
  return (
    <ul class="games">
      {seats.map(({ game, seat, names }) => {
        const state = tables.find(({ kept }) => kept.game === game && kept.seat === seat)?.state;
        const others = names.filter((_, at) => at !== seat);
        return (
          <li key={`${game} ${seat}`}>
            <a href={writeAddress({ game, seat: String(seat) })} onClick={close}>
              {others.length > 0 ? say("games.back", { names: sayList(others) }) : say("games.a_game")}
            </a>{" "}
            {state && <b>{sayPhase(state, seat)}</b>}
            {names[seat] !== undefined && <small> {say("games.as", { name: names[seat] })}</small>}
          </li>
        );
      })}
    </ul>
  );
}

/** Says whose turn it is, or what else a game waits for. */
function sayPhase({ phase, turn, seats, rematch }: GameSummary, me: Seat): string {
  if (turn === null) return say(rematch === null ? "problem.game_over" : "games.next");
  const who = namePlayers({ seats })[turn] ?? "";
  if (phase === "playing") return turn === me ? say("your_turn") : say("text.turn", { who });
  return turn === me ? say("lobby.deals.you") : say("lobby.deals", { who });
}
