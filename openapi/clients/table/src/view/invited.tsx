import type { Game } from "catch-the-ten";
import { useState } from "preact/hooks";

/** The way into a live game for who comes by the link of a seat: a name, and the seat is theirs. */
export function Invited({
  game,
  name,
  take,
  watch,
}: {
  game: Game;
  /** The name under which one played before; empty if this is the first time. */
  name: string;
  take: (name: string) => void;
  watch: () => void;
}) {
  const [typed, setTyped] = useState(name);
  const others = game.state.seats.flatMap((seat) => (seat.seat !== game.seat && seat.name ? [seat.name] : []));
  return (
    <section class="lobby" aria-labelledby="invited-title">
      <h2 id="invited-title">
        {others.length > 0 ? `You are invited to play with ${others.join(" and ")}` : "You are invited to a game"}
      </h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(typed);
        }}
      >
        <NameField name={typed} change={setTyped} />
        <p class="buttons">
          <button type="button" onClick={watch}>
            Only look on
          </button>
          <button type="submit" class="main">
            Take the seat
          </button>
        </p>
        <p class="hint">The seat is kept in this browser until the game is over. The link works only once.</p>
      </form>
    </section>
  );
}

/** The name of a player. */
export function NameField({ name, change }: { name: string; change: (name: string) => void }) {
  return (
    <label>
      Your name
      <input
        type="text"
        required
        maxLength={40}
        autocomplete="nickname"
        value={name}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
}
