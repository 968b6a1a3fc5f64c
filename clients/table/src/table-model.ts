/** What is shown of a table, however the game is kept. */

import type {
  Card,
  ComputerLevel,
  DealPosition,
  GameRecord,
  LiveGame,
  Seat,
  SideScore,
  Suggestion,
  Verdict,
} from "catch-the-ten";
import type { showHost, showOwn } from "./lobby.ts";
import type { ProofFault } from "./proof.ts";
import type { Said } from "./words/words.ts";

/** A trick as it lies on the table: in the order played; `taken` while it is looked at, before it is put away. */
export interface Trick {
  readonly cards: readonly { readonly seat: Seat; readonly card: Card }[];
  readonly winner: Seat | null;
  readonly taken: boolean;
}

/** The count of a deal: what each side has made; item by item, unless only the sums are known. Perhaps with its record. */
export interface DealCount {
  readonly sides: readonly (Pick<SideScore, "side" | "points" | "total"> & Partial<SideScore>)[];
  readonly record?: GameRecord;
}

/** A table as one seat sees it. */
export interface Shown {
  readonly position: DealPosition;
  /** The seat that is nearest, whose hand is shown. */
  readonly me: Seat;
  /** True if one looks on, and plays at no seat. */
  readonly looksOn: boolean;
  readonly hand: readonly Card[];
  /** The cards that may be played now; none if it is not this seat's turn. */
  readonly legal: readonly Card[];
  readonly isMyTurn: boolean;
  readonly names: readonly string[];
  readonly trick: Trick;
  /** The trick before, as it was taken; undefined if there is none in this deal, or it is not known. */
  readonly lastTrick: Trick | undefined;
  /** The count of a deal that is over. */
  readonly scores: DealCount | undefined;
  /** What is wrong with the proof of a deal that is over, [] if it is proved; undefined where there is none. */
  readonly proof: readonly ProofFault[] | undefined;
  /** What happened last, in words. */
  readonly text: Said;
  /** Why the card that was tried may not be played. */
  readonly verdict: Verdict | undefined;
  readonly hints: Suggestion | undefined;
  readonly busy: boolean;
  /** Returns the milliseconds until the computer plays for the seat that is to play; undefined where no limit runs. */
  readonly timeLeft: (() => number) | undefined;
  /** By seat: who plays there; "computer" also for the own seat. [] at a table of one's own. */
  readonly sits: readonly LobbySeat["sits"][];
}

/** A seat of a live game, as everybody at its table sees it. */
export interface LobbySeat {
  readonly seat: Seat;
  readonly name: string;
  /** The names of those on its side. */
  readonly partners: readonly string[];
  /** Who sits there: oneself, a person who has the page open or not, the computer, or nobody yet. */
  readonly sits: "you" | "here" | "away" | "computer" | "nobody";
  /** The level of the computer that plays there. */
  readonly computer: ComputerLevel | null;
  /** The link to this seat alone; undefined where it is not free, or one has none. */
  readonly link: string | undefined;
  /** Lets the computer play for who is away; undefined where nobody is. */
  readonly standIn: (() => Promise<void>) | undefined;
}

/** A card that somebody played by mistake, in a game in which one can be taken back. */
export interface Mistake {
  /** Asks to take back one's own card, or agrees that another takes back theirs. */
  readonly takeBack: () => Promise<void>;
  /** Lets the card lie; undefined where the card is one's own. */
  readonly decline: (() => void) | undefined;
}

/** A live game before its first deal and between deals: who sits where, who deals, and the link for those to come. */
export interface Lobby {
  /** The seat of who looks at it; null if one looks on. */
  readonly seat: Seat | null;
  /** The game as its players see it. */
  readonly state: LiveGame;
  /** The time until which the table waits, even if everybody leaves; undefined while it would wait ten minutes then. */
  readonly waitsUntil: Date | undefined;
  readonly canDeal: boolean;
  /** The name of who deals next; undefined for oneself. */
  readonly dealer: string | undefined;
  readonly seats: readonly LobbySeat[];
  /** True if one came by the link of the table, and no seat is free. */
  readonly isFull: boolean;
  /** The link with which people take the seats that are free; undefined where none is, or one has no such link. */
  readonly link: string | undefined;
  /** The cards that were drawn for the seats, round by round; [] if none were. */
  readonly seating: readonly (readonly { readonly name: string; readonly card: Card }[])[];
  /** Lets players sit as named, by seat where each sits now, or as cards decide; undefined where one cannot. */
  readonly changeSeats: ((seats?: readonly Seat[]) => Promise<void>) | undefined;
  /** What the host can do with the seats; undefined for all others. */
  readonly host: ReturnType<typeof showHost> | undefined;
  /** What one can do with one's own seat while the game goes on; undefined if one looks on. */
  readonly mine: ReturnType<typeof showOwn> | undefined;
  /** The link that leads another device to one's own seat; undefined if one looks on. */
  readonly own: string | undefined;
  /** The link with which one looks on. */
  readonly watching: string;
}

/** A table that is looked at and played at. */
export interface Table {
  /** Undefined until the first position is there. */
  readonly shown: Shown | undefined;
  /** Undefined at a table that nobody else can come to. */
  readonly lobby?: Lobby;
  /** The card that was played last, if one is asked whether it may be taken back, or may ask that oneself. */
  readonly mistake?: Mistake | undefined;
  play(card: Card): Promise<void>;
  next(): Promise<void>;
  hint(): Promise<void>;
  /** Counts all deals that are over, by their numbers, each with its record; undefined where the service keeps none. */
  readonly countAll?: () => Promise<Map<number, DealCount>>;
  /** Claims the rest of the deal, and plays it out where that holds; undefined where that is not offered. */
  readonly claim?: (() => Promise<void>) | undefined;
  /** Goes on where a call was lost; undefined where that happens by itself. */
  readonly resume?: () => Promise<void>;
  /** Puts away the trick that is looked at. */
  goOn(): void;
  /** Ends all that is under way. */
  close(): void;
}
