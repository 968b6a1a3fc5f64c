/** The record of one deal, and its text in the notation of records: what a link to a deal says. */

import {
  type Card,
  type DealPosition,
  type DealState,
  type GameRecord,
  PACK,
  type RecordedPlay,
  rankOf,
  suitOf,
} from "catch-the-ten";
import { type Address, DamagedAddress } from "./address.ts";

/** Characters of a text that is read at most: twice those of a deal by house rules. */
const MAX_LENGTH = 10_000;
/** Characters of a name. */
const MAX_NAME = 40;
const HAND = /^(?:[6-9TJQKA]+[shdc])+$/;

type Deal = GameRecord["deals"][number];
type Hands = Deal["hands"];

/** Returns the record of a deal from a position before its first trick was taken, and all its plays. */
export function recordDeal({ state }: DealPosition, plays: readonly RecordedPlay[]): GameRecord {
  const { rules, sides, dealer, turn_up, later_hands, deal, scores } = state;
  const played = plays.slice(0, state.trick.length);
  const hands = state.hands.map((hand, seat) =>
    Array.isArray(hand) ? [...hand, ...played.filter((play) => play.seat === seat).map(({ card }) => card)] : hand,
  );
  return { rules, sides, deal, scores, deals: [{ dealer, turn_up, hands, later_hands, plays: [...plays] }] };
}

/** Returns the record of one deal alone; `at` is its place in the record, and `scores` stood before it. */
export function cutDeal(
  { rules, sides, deal, deals }: GameRecord,
  at: number,
  scores: GameRecord["scores"],
): GameRecord {
  const { dealer, turn_up, hands, later_hands = [], plays } = deals[at] as Deal;
  return {
    rules,
    sides,
    deal: (deal ?? 1) + at,
    scores: scores ?? null,
    deals: [{ dealer, turn_up, hands, later_hands, plays }],
  };
}

/** Returns the state in which the deal of a record was dealt. */
export function stateOf({ rules, sides, deal, scores, deals: [dealt] }: GameRecord): DealState {
  const { dealer, turn_up, hands, later_hands } = dealt as Deal;
  const leader = ((dealer + 1) % hands.length) as DealState["leader"];
  const table = { rules, sides, dealer, deal: deal ?? 1, scores: scores ?? sides.map(() => 0) };
  const cards = { turn_up, hands, later_hands: later_hands ?? [] };
  return { ...table, ...cards, leader, trick: [], taken: sides.map(() => []), revoked: null };
}

/** Returns the text of a record with one deal. */
export function writeDeal({ rules, sides, deal, scores, deals: [dealt] }: GameRecord): string {
  const { dealer, turn_up, hands, later_hands, plays } = dealt as Deal;
  const tags = {
    CatchTheTen: 1,
    Rules: rules,
    Sides: sides,
    Deal: deal ?? 1,
    Scores: scores ?? undefined,
    Dealer: dealer,
  };
  const dealtHands = hands.map((hand, seat) => [hand, ...(later_hands?.[seat] ?? [])].map(writeHand).join("-"));
  const cards = { TurnUp: writeCard(turn_up), Hands: dealtHands.join(" ") };
  const head = Object.entries({ ...tags, ...cards }).flatMap(([tag, value]) =>
    value === undefined ? [] : [`[${tag} ${JSON.stringify(value)}]`],
  );
  return [...head, ...writePlays(plays, hands.length)].join("\n");
}

/** Returns the address of a deal, with the names of its players; it leads to no game. */
export function addressOfDeal(record: GameRecord, names: readonly string[]): Address {
  return { deal: writeDeal(record), names: names.map((name) => name.slice(0, MAX_NAME).trim()).join("\n") };
}

/** Reads the names of the players in an address, "" for one without. */
export function readNames({ names = "" }: Address): string[] {
  return names.split("\n").map((name) => name.slice(0, MAX_NAME));
}

function writeCard(card: Card): string {
  return rankOf(card) + suitOf(card).toLowerCase();
}

function writeHand(hand: Hands[number]): string {
  if (!Array.isArray(hand)) return String(hand);
  const held = PACK.filter((card) => hand.includes(card));
  const suits = [...new Set(held.map(suitOf))];
  const written = suits.map((suit) => {
    const ranks = held.filter((card) => suitOf(card) === suit).map(rankOf);
    return ranks.join("") + suit.toLowerCase();
  });
  return written.join("") || "0";
}

/** Writes a line for each trick, and for each play that is not the next seat's. */
function writePlays(plays: readonly RecordedPlay[], players: number): string[] {
  const lines: string[][] = [];
  for (const [at, { seat, card }] of plays.entries()) {
    const before = plays[at - 1];
    const line = lines.at(-1);
    if (line && line.length <= players && before && seat === (before.seat + 1) % players) line.push(writeCard(card));
    else lines.push([`${seat}:`, writeCard(card)]);
  }
  return lines.map((line) => line.join(" "));
}

/**
 * Reads the text of a record with one deal, for the service to judge.
 *
 * @throws {DamagedAddress} if it is none.
 */
export function readDeal(text: string): GameRecord {
  if (text.length > MAX_LENGTH) throw new DamagedAddress("The link is too long for one deal.");
  try {
    return read(text.split("\n").map((line) => line.trim()));
  } catch (cause) {
    throw new DamagedAddress("The link is not whole: it leads to no deal.", { cause });
  }
}

function read(lines: readonly string[]): GameRecord {
  const tags = Object.fromEntries(lines.flatMap((line) => readTag(line)));
  const { CatchTheTen: version, Rules: rules, Sides: sides, Deal: deal, Scores: scores, Dealer: dealer } = tags;
  const { Hands, TurnUp } = tags;
  const count = lines.filter((line) => line.startsWith("[Dealer ")).length;
  const isSeated = Array.isArray(sides) && sides.every(Array.isArray);
  if (version !== 1 || count !== 1 || rules === undefined || !isSeated) throw new Error("no record of one deal");
  const held = (Hands as string).split(" ").map((hand) => hand.split("-").map(readHand));
  const [hands, later] = [held.map(([hand]) => hand), held.map(([, ...rest]) => rest)];
  const plays = lines.flatMap((line) => (/^[0-7]:/.test(line) ? readPlays(line, held.length) : []));
  const later_hands = later.some((rest) => rest.length > 0) ? later : [];
  const dealt = { dealer, turn_up: readCard(TurnUp as string), hands, later_hands, plays };
  return { rules, sides, deal: deal ?? 1, scores: scores ?? null, deals: [dealt] } as GameRecord;
}

function readTag(line: string): [string, unknown][] {
  const tag = /^\[([A-Za-z]+)\s+(.+)\]$/.exec(line);
  return tag ? [[tag[1] ?? "", JSON.parse(tag[2] ?? "")]] : [];
}

function readCard(text: string): Card {
  const card = text.toUpperCase() as Card;
  if (!PACK.includes(card)) throw new Error(`no card: ${text}`);
  return card;
}

function readHand(text: string): number | Card[] {
  if (/^\d\d?$/.test(text) && !HAND.test(text)) return text === "0" ? [] : Number(text);
  if (!HAND.test(text)) throw new Error(`no hand: ${text}`);
  return [...text.matchAll(/([6-9TJQKA]+)([shdc])/g)].flatMap(([, ranks = "", suit = ""]) =>
    [...ranks].map((rank) => readCard(rank + suit)),
  );
}

/** Reads a line of plays: each card after the first is of the next seat. */
function readPlays(line: string, players: number): RecordedPlay[] {
  const [leader = "", ...cards] = (line.split(";")[0] ?? "").trim().split(/\s+/);
  const seat = Number.parseInt(leader, 10);
  return cards.map((card, place) => ({ seat: (seat + place) % players, card: readCard(card) }));
}
