/** A live game as its lobby shows it to everybody: who sits where, who is missing, and what one can do about it. */

import type { ComputerLevel, Game, GameSeat, LiveGame, Seat } from "catch-the-ten";
import { type Address, writeAddress, writeSeats } from "./address.ts";
import type { Clock } from "./clock.ts";
import type { KeptSeat } from "./kept-seats.ts";
import { namePlayers } from "./names.ts";
import { isOpen, type SeatKeeper } from "./seat-keeper.ts";
import type { Lobby, LobbySeat } from "./table-model.ts";

/** Milliseconds that a table waits if everybody has left it, as long as nothing is dealt and no seat is taken. */
const WAITING = 600_000;

/** What a lobby is shown of, and how it does what it is asked. */
interface Shown {
  readonly game: Game;
  /** The host's way to the game. */
  readonly host: Game | undefined;
  readonly keeper: SeatKeeper;
  readonly clock: Clock;
  readonly work: (act: () => Promise<unknown>) => Promise<void>;
}

export function showLobby(shown: Shown): Lobby {
  const { game, host, keeper, clock } = shown;
  const { seat, state } = game;
  const { kept, invitations, link } = keeper;
  const isFree = invitations.some((token) => token !== null);
  const names = namePlayers(state);
  const seats = state.seats.map((one) => showSeat(one, names, shown));
  const hasCome = invitations.length > 0 && seats.every(({ sits }) => sits !== "nobody");
  return {
    seat,
    state,
    waitsUntil: findEnd(game, clock),
    canDeal: canDeal(game, host !== undefined, hasCome),
    dealer: state.dealer === seat ? undefined : names[state.dealer],
    seats,
    isFull: seat === null && invitations.length > 0 && !isFree,
    link: isFree ? linkTo(game, { seats: writeSeats(link) }) : undefined,
    seating: showSeating(state, names),
    changeSeats: canChangeSeats(game) ? (wanted) => shown.work(() => game.changeSeats(wanted)) : undefined,
    host: host && showHost(host, shown),
    mine: seat === null || state.phase === "game_over" ? undefined : showOwn(shown, seat),
    watching: linkTo(game, {}),
    own: kept && linkTo(game, writeOwn(kept)),
  };
}

function linkTo({ id: game }: Game, more: Address): string {
  return writeAddress({ game, ...more });
}

/** Writes what another device needs for a seat, with the role of the host and the way to free seats, if one has these. */
function writeOwn({ seat, token, host, invitations }: KeptSeat): Address {
  const seats = invitations && { seats: writeSeats(invitations) };
  return { seat: String(seat), token, ...seats, ...(host && { host }) };
}

function showSeat(one: GameSeat, names: readonly string[], { game, host, keeper, work }: Shown): LobbySeat {
  const token = keeper.invitations[one.seat];
  const partners = game.state.seats.filter(({ seat, side }) => side === one.side && seat !== one.seat);
  const sits = findSitter(one, game, token);
  const isAway = game.seat !== null && game.state.phase !== "game_over" && ["away", "nobody"].includes(sits);
  return {
    seat: one.seat,
    name: names[one.seat] ?? "",
    partners: partners.map(({ seat }) => names[seat] ?? ""),
    sits,
    computer: one.computer,
    link: token && (one.computer === null || isOpen(one)) ? linkTo(game, { token }) : undefined,
    standIn: isAway ? () => work(() => seatComputer(host ?? game, one.seat, "medium", keeper)) : undefined,
  };
}

/** Lets the computer play a seat. Before the first deal it may be a person's again, who has the link. */
async function seatComputer(by: Game, seat: Seat, level: ComputerLevel, keeper: SeatKeeper): Promise<void> {
  await by.seatComputer(level, { seat });
  if (by.state.phase !== "to_deal") await keeper.voidInvitation(seat);
}

/** Returns who sits at a seat: nobody where its token is still that of a link, or no name was given. */
export function findSitter(one: GameSeat, { seat }: Game, token?: string | null): LobbySeat["sits"] {
  if (one.seat === seat) return "you";
  if (one.computer !== null) return "computer";
  if (one.present) return "here";
  return token || one.name === null ? "nobody" : "away";
}

function findEnd({ state: { changed_at: changed, expires_at: expires } }: Game, clock: Clock): Date | undefined {
  const isShort = Date.parse(expires) - Date.parse(changed) <= WAITING;
  return isShort ? undefined : new Date(clock.ticks.now() + clock.until(expires));
}

/** Returns if one can deal: the dealer and the host always; the first deal, once all have come, everybody. */
function canDeal({ isMyDeal, seat, state: { phase } }: Game, isHost: boolean, hasCome: boolean): boolean {
  const isMine = isMyDeal || isHost;
  return phase === "to_deal" ? isMine || (seat !== null && hasCome) : phase === "deal_over" && isMine;
}

/** Returns if one can change who sits where: anybody at the table, once nobody is waited for, before the first deal. */
function canChangeSeats({ seat, state: { phase, seats } }: Game): boolean {
  return phase === "to_deal" && seat !== null && seats.every(isTaken);
}

export function isTaken({ name, computer }: GameSeat): boolean {
  return name !== null || computer !== null;
}

/** Returns the cards that were drawn for the seats, round by round, with the names of those who drew. */
function showSeating({ seating }: LiveGame, names: readonly string[]): Lobby["seating"] {
  const nameOf = (before: Seat) => names[seating?.seats.indexOf(before) ?? before] ?? "";
  return seating?.rounds.map((round) => round.map(({ seat, card }) => ({ name: nameOf(seat), card }))) ?? [];
}

/** Acts of the host: give a seat to the computer or, with null, to anybody; or replace the link of a seat. */
export function showHost(host: Game, { keeper, work }: Shown) {
  return {
    give: (seat: Seat, level: ComputerLevel | null) =>
      work(async () => {
        if (level !== null) return seatComputer(host, seat, level, keeper);
        await host.takeSeatBack({ seat });
        if (host.state.seats[seat]?.name === null) await keeper.reopen(seat, host);
      }),
    invite: (seat: Seat) => work(async () => keeper.setInvitation(seat, await host.renewToken({ seat }))),
  };
}

/** Acts of a player: leave the seat to the computer, come back to it, or resign. Shows the computer's level. */
export function showOwn({ game, work }: Shown, seat: number) {
  return {
    computer: game.state.seats[seat]?.computer ?? null,
    leave: () => work(() => game.seatComputer("medium")),
    back: () => work(() => game.takeSeatBack()),
    resign: () => work(() => game.resign()),
  };
}
