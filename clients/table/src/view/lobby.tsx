import type { ComputerLevel, Seat } from "catch-the-ten";
import { useState } from "preact/hooks";
import type { Told } from "../books.ts";
import { estimateMinutes } from "../duration.ts";
import type { Lobby, LobbySeat } from "../table-model.ts";
import { say, sayList, sayOf, sayTime } from "../words/words.ts";
import { Face } from "./card.tsx";
import { FoldedLink, Link } from "./link.tsx";
import { Select } from "./select.tsx";

const LEVELS: readonly ComputerLevel[] = ["easy", "medium", "hard"];

interface Seating {
  readonly lobby: Lobby;
  /** The rules of the game; undefined until they are read. */
  readonly told: Told | undefined;
  /** The name under which one played before; empty if this is the first time. */
  readonly name: string;
  readonly take: (seat: Seat, name: string) => void;
  readonly act: (work: () => Promise<void>) => void;
  readonly showRules: () => void;
}

/** What a live game waits for before its first deal: people, who come by its link, and somebody to start it. */
export function LobbyView({ deal, ...seating }: Seating & { deal: () => void }) {
  const { lobby } = seating;
  const free = lobby.seats.filter(({ sits }) => sits === "nobody");
  const drawn = lobby.state.phase === "to_deal" ? lobby.seating : [];
  return (
    <section class="lobby" aria-label={say("lobby.label")}>
      <Seats {...seating} />
      <p class="hint" role="status">
        {lobby.state.phase === "to_deal" && sayOf("lobby.deals", lobby.dealer)}{" "}
        {free.length > 0 && say("lobby.missing", { names: sayList(free.map(({ name }) => name)) })}
      </p>
      <p class="hint">{sayWaiting(lobby)}</p>
      {drawn.length > 0 && (
        <p>{say(lobby.state.sides.length < lobby.seats.length ? "lobby.drawn_partners" : "lobby.drawn_seats")}</p>
      )}
      {drawn.map((round) => (
        <ul key={round.map(({ card }) => card).join()} class="pictured drawn">
          {round.map(({ name, card }) => (
            <li key={card}>
              <Face card={card} alone /> {name}
            </li>
          ))}
        </ul>
      ))}
      {lobby.changeSeats && <ChangeSeats lobby={lobby} change={lobby.changeSeats} act={seating.act} />}
      {lobby.canDeal && (
        <button type="button" class={free.length > 0 ? "" : "main"} onClick={deal}>
          {say("lobby.start")}
        </button>
      )}
    </section>
  );
}

/** Ways to change who sits where: two players swap, or cards decide. */
function ChangeSeats({
  lobby,
  change,
  act,
}: Pick<Seating, "lobby" | "act"> & { change: NonNullable<Lobby["changeSeats"]> }) {
  const [chosen, choose] = useState<Seat | undefined>();
  const { seats, state } = lobby;
  const swap = (seat: Seat): void => {
    choose(chosen === undefined ? seat : undefined);
    const places = new Map([[chosen, seat] as const, [seat, chosen] as const]);
    if (chosen !== undefined && chosen !== seat)
      act(() => change(seats.map((one) => places.get(one.seat) ?? one.seat)));
  };
  return (
    <details>
      <summary>{say("lobby.change_seats")}</summary>
      <p class="buttons">
        <button type="button" onClick={() => act(() => change())}>
          {say(state.sides.length < seats.length ? "lobby.draw_partners" : "lobby.draw_seats")}
        </button>
      </p>
      <p class="hint">{say("lobby.swap")}</p>
      <p class="buttons">
        {seats.map(({ seat, name }) => (
          <button key={seat} type="button" aria-pressed={seat === chosen} onClick={() => swap(seat)}>
            {name}
          </button>
        ))}
      </p>
    </details>
  );
}

/** Returns how long the table waits, in words; nothing for who looks on at a table that waits for its people only. */
function sayWaiting({ waitsUntil, seat, seats }: Lobby): string {
  if (waitsUntil !== undefined) return say("lobby.waits_until", { time: sayTime(waitsUntil) });
  if (seat === null) return "";
  const isFree = seats.some(({ sits }) => sits === "nobody");
  return isFree ? `${say("lobby.waits_here")} ${say("lobby.may_leave")}` : say("lobby.waits_here");
}

/** Returns where one sits, or who invites, in words. */
function sayPlace({ seat, isFull, link, seats }: Lobby): string {
  if (seat !== null) return say("lobby.you_sit_as", { name: seats[seat]?.name ?? "" });
  if (link === undefined) return say(isFull ? "lobby.full" : "lobby.look_on");
  const people = seats.filter(({ sits }) => sits === "here" || sits === "away");
  return people.length > 0 ? say("invited.by", { who: sayList(people.map((one) => one.name)) }) : say("invited.game");
}

/** The seats of a live game, and who sits there; for who has none a way to one. */
export function Seats({ lobby, told, name, take, act, showRules }: Seating) {
  const [typed, setTyped] = useState(name);
  const asks = lobby.seat === null && lobby.link !== undefined;
  // Who comes later may still take a seat from the computer.
  const isMissing = lobby.seats.some(({ sits }) => sits === "nobody");
  const list = (
    <ul class="seats">
      {lobby.seats.map((one) => (
        <li key={one.seat}>
          <SeatName one={one} />
          {asks && one.link !== undefined && (
            <button type="submit" value={one.seat}>
              {say("invited.take")}
              <span class="said"> {one.name}</span>
            </button>
          )}
          {!lobby.host && one.standIn && (
            <button type="button" onClick={() => one.standIn && act(one.standIn)}>
              {say("lobby.stand_in", { who: one.name })}
            </button>
          )}
          {lobby.host && one.sits !== "you" && <Hosting host={lobby.host} one={one} act={act} />}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <h2>{sayPlace(lobby)}</h2>
      {told && <Facts lobby={lobby} told={told} showRules={showRules} />}
      {asks ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            take(Number((event.submitter as HTMLButtonElement | null)?.value ?? firstFree(lobby)), typed);
          }}
        >
          <NameField name={typed} change={setTyped} />
          {list}
          <p class="hint">{say("invited.once")}</p>
          <a href={lobby.watching}>{say("invited.watch")}</a>
        </form>
      ) : (
        <>
          {isMissing && lobby.link !== undefined && (
            <>
              <p>{say("lobby.send")}</p>
              <Link title={say("lobby.link")} link={lobby.link} />
            </>
          )}
          {list}
          {!isMissing && lobby.link !== undefined && <FoldedLink title={say("lobby.link")} link={lobby.link} />}
          <FoldedLink title={say("lobby.watch_link")} link={lobby.watching} />
        </>
      )}
      {lobby.mine !== undefined && (lobby.state.phase !== "to_deal" || lobby.mine.computer !== null) && (
        <OwnSeat mine={lobby.mine} act={act} />
      )}
    </>
  );
}

function firstFree({ seats }: Lobby): Seat {
  return seats.find(({ link }) => link !== undefined)?.seat ?? 0;
}

/** What is played here, by which rules and limits, and about how long it takes. */
function Facts({ lobby, told, showRules }: Pick<Seating, "lobby" | "showRules"> & { told: Told }) {
  const { rules, printed, players, sides } = told;
  const { name } = printed;
  const { move_seconds: seconds } = lobby.state;
  const facts = [
    say("lobby.players", { players }),
    say("lobby.minutes", { minutes: estimateMinutes(rules, players, sides) }),
    ...(seconds === null ? [] : [say("setup.seconds", { seconds })]),
    ...(lobby.state.take_back ? [say("setup.take_back")] : []),
  ];
  return (
    <p>
      {say("title")}: {facts.join("; ")}.{" "}
      <button type="button" onClick={showRules}>
        {say("setup.rules")}: {rules.id === printed.id ? name : say("lobby.house", { name })}
      </button>
    </p>
  );
}

/** Who sits at a seat, with whom, and whether they are there. */
function SeatName({ one }: { one: LobbySeat }) {
  return (
    <p class="who">
      {one.sits !== "you" && one.sits !== "computer" && (
        <span class={`presence ${one.sits === "here" ? "here" : ""}`} aria-hidden="true" />
      )}
      <b>{one.name}</b>{" "}
      <small>
        {[one.sits !== "computer" && say(`sits.${one.sits}`), one.computer && say(`setup.${one.computer}`)]
          .filter(Boolean)
          .join(", ")}
        {one.partners.length > 0 && `, ${say("lobby.partner", { names: sayList(one.partners) })}`}
      </small>
    </p>
  );
}

/** What the host can do with a seat: give it to the computer, or make a new link for who has lost the way to it. */
function Hosting({ host, one, act }: { host: NonNullable<Lobby["host"]>; one: LobbySeat; act: Seating["act"] }) {
  const { seat, name, computer, link } = one;
  return (
    <>
      <Select
        label={<span class="said">{say("lobby.played_by", { who: name })} </span>}
        value={computer ?? ""}
        options={[["", say("lobby.person")], ...LEVELS.map((level) => [level, say(`setup.${level}`)] as const)]}
        change={(level) => act(() => host.give(seat, level || null))}
      />
      {computer === null && link !== undefined && (
        <FoldedLink summary={say("lobby.one_link")} title={name} link={link} />
      )}
      {computer === null && link === undefined && (
        <button type="button" onClick={() => act(() => host.invite(seat))}>
          {say("lobby.new_link")}
        </button>
      )}
    </>
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
