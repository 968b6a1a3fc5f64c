import type { ComputerLevel, Seat } from "catch-the-ten";
import type { Lobby } from "../table-model.ts";
import { say, sayList, sayOf, sayTime } from "../words/words.ts";
import { Link } from "./link.tsx";

const LEVELS: readonly ComputerLevel[] = ["easy", "medium", "hard"];

interface Seating {
  readonly lobby: Lobby;
  readonly give: (seat: Seat, computer: ComputerLevel | null) => void;
  readonly invite: (seat: Seat) => void;
  readonly act: (work: () => Promise<void>) => void;
}

/** What a live game waits for before its first deal: people, who are invited by links, and the dealer. */
export function LobbyView({ deal, ...seating }: Seating & { deal: () => void }) {
  const { lobby } = seating;
  const missing = lobby.others.filter(({ link, computer }) => link !== undefined && computer === null);
  return (
    <section class="lobby" aria-label={say("lobby.label")}>
      <Seats {...seating} />
      {missing.length > 0 && (
        <p class="hint">{say("lobby.missing", { names: sayList(missing.map(({ name }) => name)) })}</p>
      )}
      <p class="hint">{sayWaiting(lobby)}</p>
      {lobby.canDeal ? (
        <button type="button" class="main" onClick={deal}>
          {say("lobby.start")}
        </button>
      ) : (
        <p role="status">{lobby.phase === "to_deal" ? sayOf("lobby.deals", lobby.dealer) : ""}</p>
      )}
    </section>
  );
}

/** Returns how long the table waits, in words; nothing for who looks on at a table that waits for its people only. */
function sayWaiting({ waitsUntil, seat }: Lobby): string {
  if (waitsUntil !== undefined) return say("lobby.waits_until", { time: sayTime(waitsUntil) });
  return seat === null ? "" : say("lobby.waits_here");
}

/** Returns where one sits, in words. */
function sayPlace({ seat, name }: Lobby): string {
  if (seat === null) return say("lobby.look_on");
  return name === null ? say("lobby.you_sit") : say("lobby.you_sit_as", { name });
}

/** The seats of a live game: for who opened it, how others come to theirs; the way to one's own from elsewhere. */
export function Seats({ lobby, give, invite, act }: Seating) {
  return (
    <>
      <h2>{sayPlace(lobby)}</h2>
      {lobby.others.length > 0 && (
        <>
          <p>{say("lobby.send")}</p>
          <ul>
            {lobby.others.map(({ seat, name, partner, link, computer }) => (
              <li key={seat}>
                <label class="who">
                  <span class="said">{say("lobby.played_by", { who: name })} </span>
                  <select
                    value={computer ?? ""}
                    onChange={(event) => give(seat, (event.currentTarget.value || null) as ComputerLevel | null)}
                  >
                    <option value="">{say("lobby.person")}</option>
                    {LEVELS.map((level) => (
                      <option key={level} value={level}>
                        {say(`setup.${level}`)}
                      </option>
                    ))}
                  </select>
                </label>
                {computer !== null && <span>{name}</span>}
                {computer === null && link !== undefined && (
                  <Link title={partner ? say("lobby.partner", { name }) : name} link={link} />
                )}
                {computer === null && link === undefined && (
                  <span class="link">
                    <span class="come">{say("lobby.has_come", { who: name })}</span>
                    <button type="button" onClick={() => invite(seat)}>
                      {say("lobby.new_link")}
                    </button>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <Link title={say("lobby.watch_link")} link={lobby.watching} />
      {lobby.mine !== undefined && (lobby.phase !== "to_deal" || lobby.mine.computer !== null) && (
        <OwnSeat mine={lobby.mine} act={act} />
      )}
      {lobby.own !== undefined && (
        <details>
          <summary>{say("lobby.elsewhere")}</summary>
          <p class="hint">{say("lobby.secret")}</p>
          <Link title={say("lobby.your_seat")} link={lobby.own} />
        </details>
      )}
    </>
  );
}

/** What one can do with one's own seat: leave it to the computer, come back to it, or resign. */
function OwnSeat({ mine, act }: { mine: NonNullable<Lobby["mine"]>; act: Seating["act"] }) {
  const resign = (): void => {
    if (confirm(say("lobby.resign_sure"))) act(mine.resign);
  };
  return (
    <p class="buttons">
      <button type="button" onClick={() => act(mine.computer === null ? mine.leave : mine.back)}>
        {say(mine.computer === null ? "lobby.leave" : "lobby.back")}
      </button>
      <button type="button" onClick={resign}>
        {say("lobby.resign")}
      </button>
    </p>
  );
}
