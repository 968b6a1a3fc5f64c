import type { Game } from "catch-the-ten";
import { useState } from "preact/hooks";
import { say, sayList } from "../words/words.ts";

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
        {others.length > 0 ? say("invited.by", { who: sayList(others) }) : say("invited.game")}
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
            {say("invited.watch")}
          </button>
          <button type="submit" class="main">
            {say("invited.take")}
          </button>
        </p>
        <p class="hint">{say("invited.once")}</p>
      </form>
    </section>
  );
}

/** The name of a player. */
export function NameField({ name, change }: { name: string; change: (name: string) => void }) {
  return (
    <label>
      {say("name.yours")}
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
