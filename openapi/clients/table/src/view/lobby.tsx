import type { ComputerLevel, Seat } from "catch-the-ten";
import { useState } from "preact/hooks";
import type { Lobby } from "../table-model.ts";

const LEVELS: readonly ComputerLevel[] = ["easy", "medium", "hard"];

interface Seating {
  readonly lobby: Lobby;
  readonly give: (seat: Seat, computer: ComputerLevel | null) => void;
  readonly invite: (seat: Seat) => void;
}

/** What a live game waits for before its first deal: people, who are invited by links, and the dealer. */
export function LobbyView({ deal, ...seating }: Seating & { deal: () => void }) {
  const { lobby } = seating;
  return (
    <section class="lobby" aria-label="Live game">
      <Seats {...seating} />
      {lobby.canDeal ? (
        <button type="button" class="main" onClick={deal}>
          Deal
        </button>
      ) : (
        <p role="status">{lobby.phase === "to_deal" ? `${lobby.dealer} deals.` : ""}</p>
      )}
    </section>
  );
}

/** The seats of a live game: for who opened it, how others come to theirs; the way to one's own from elsewhere. */
export function Seats({ lobby, give, invite }: Seating) {
  return (
    <>
      <h2>{lobby.seat === null ? "You look on" : `You sit in seat ${lobby.seat}`}</h2>
      {lobby.others.length > 0 && (
        <>
          <p>
            Send each player a link, or let the computer play. A link is for one person: who takes the seat keeps it.
          </p>
          <ul>
            {lobby.others.map(({ seat, name, link, computer }) => (
              <li key={seat}>
                <label class="who">
                  <span class="said">Seat {seat} is played by </span>
                  <select
                    value={computer ?? ""}
                    onChange={(event) => give(seat, (event.currentTarget.value || null) as ComputerLevel | null)}
                  >
                    <option value="">a person</option>
                    {LEVELS.map((level) => (
                      <option key={level} value={level}>
                        the computer: {level}
                      </option>
                    ))}
                  </select>
                </label>
                {computer !== null && <span>{name}</span>}
                {computer === null && link !== undefined && <Link title={`Seat ${seat}`} link={link} />}
                {computer === null && link === undefined && (
                  <span class="link">
                    <span class="come">{name} has come.</span>
                    <button type="button" onClick={() => invite(seat)}>
                      New link
                    </button>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <Link title="To look on" link={lobby.watching} />
      {lobby.own !== undefined && (
        <details>
          <summary>Your seat on another device</summary>
          <p class="hint">Whoever has this link plays your seat. Send it to nobody but yourself.</p>
          <Link title="Your seat" link={lobby.own} />
        </details>
      )}
    </>
  );
}

function Link({ title, link }: { title: string; link: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (field: HTMLInputElement | null | undefined): Promise<void> => {
    // A page without TLS has no clipboard, only the old way.
    if (navigator.clipboard) await navigator.clipboard.writeText(link);
    else {
      field?.select();
      document.execCommand("copy");
    }
    setCopied(true);
  };
  return (
    <span class="link">
      <label>
        {title}
        <input type="text" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button
        type="button"
        aria-label={`Copy the link: ${title}`}
        onClick={(event) => void copy(event.currentTarget.parentElement?.querySelector("input"))}
      >
        {copied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}
