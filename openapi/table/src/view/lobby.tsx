import type { Lobby } from "../table-model.ts";

/** What a live game waits for before its first deal: people, who are invited by links, and the dealer. */
export function LobbyView({ lobby, deal }: { lobby: Lobby; deal: () => void }) {
  return (
    <section class="lobby" aria-label="Live game">
      <h2>{lobby.seat === null ? "You look on" : `You sit in seat ${lobby.seat}`}</h2>
      {lobby.links.length > 0 && (
        <>
          <p>Send each player the link of a seat. Whoever has the link plays the seat.</p>
          <ul>
            {lobby.links.map(({ seat, link }) => (
              <li key={seat}>
                <Link title={`Seat ${seat}`} link={link} />
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
