import type { Level, Seat } from "catch-the-ten";
import type { Lobby } from "../table-model.ts";

const LEVELS: readonly Level[] = ["easy", "medium", "hard"];

/** What a live game waits for before its first deal: people, who are invited by links, and the dealer. */
export function LobbyView({
  lobby,
  deal,
  give,
}: {
  lobby: Lobby;
  deal: () => void;
  give: (seat: Seat, computer: Level | null) => void;
}) {
  return (
    <section class="lobby" aria-label="Live game">
      <h2>{lobby.seat === null ? "You look on" : `You sit in seat ${lobby.seat}`}</h2>
      {lobby.others.length > 0 && (
        <>
          <p>Send each player the link of a seat, or let the computer play it. Whoever has the link plays the seat.</p>
          <ul>
            {lobby.others.map(({ seat, link, computer }) => (
              <li key={seat}>
                <label class="who">
                  <span class="said">Seat {seat} is played by </span>
                  <select
                    value={computer ?? ""}
                    onChange={(event) => give(seat, (event.currentTarget.value || null) as Level | null)}
                  >
                    <option value="">a person</option>
                    {LEVELS.map((level) => (
                      <option key={level} value={level}>
                        the computer: {level}
                      </option>
                    ))}
                  </select>
                </label>
                {computer === null ? <Link title={`Seat ${seat}`} link={link} /> : <span>Seat {seat}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      <Link title="To look on" link={lobby.watching} />
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

function Link({ title, link }: { title: string; link: string }) {
  return (
    <span class="link">
      <label>
        {title}
        <input type="text" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" aria-label={`Copy the link: ${title}`} onClick={() => navigator.clipboard.writeText(link)}>
        Copy
      </button>
    </span>
  );
}
