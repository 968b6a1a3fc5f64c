/** What is shown of a table, however the game is kept. */

import type { Card, ComputerLevel, DealPosition, GamePhase, Seat, SideScore, Suggestion } from "catch-the-ten";
import type { Better } from "./review.ts";

/** A trick as it lies on the table: in the order played; `taken` while it is looked at, before it is put away. */
export interface Trick {
  readonly cards: readonly { readonly seat: Seat; readonly card: Card }[];
  readonly winner: Seat | null;
  readonly taken: boolean;
}

/** The count of a deal: what each side has made; item by item, unless only the sums are known. */
export interface DealCount {
  readonly sides: readonly (Pick<SideScore, "side" | "points" | "total"> & Partial<SideScore>)[];
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
  /** The count of a deal that is over. */
  readonly scores: DealCount | undefined;
  /** What came of checking the proof of a deal that is over; undefined where there is none. */
  readonly proof: string | undefined;
  /** What happened last, in words. */
  readonly text: string;
  /** Why the card that was tried may not be played. */
  readonly reason: string | undefined;
  readonly hints: Suggestion | undefined;
  /** The plays of the deal that another card would have bettered; undefined as long as nobody has asked. */
  readonly better: readonly Better[] | undefined;
  readonly busy: boolean;
  /** The seed that repeats the deal, empty if it is not known. */
  readonly seed: string;
}

/** A seat that the host of a live game gives away. */
export interface OtherSeat {
  readonly seat: Seat;
  readonly name: string;
  /** The link for a person; undefined once somebody has taken the seat with it. */
  readonly link: string | undefined;
  /** The level of the computer that plays there. */
  readonly computer: ComputerLevel | null;
}

/** A live game before its first deal and between deals: who deals, and the links for those who are to come. */
export interface Lobby {
  /** The seat of who looks at it; null if one looks on. */
  readonly seat: Seat | null;
  readonly phase: GamePhase;
  readonly canDeal: boolean;
  /** The name of who deals next. */
  readonly dealer: string;
  /** The other seats, if one may give them away. */
  readonly others: readonly OtherSeat[];
  /** Lets the computer play a seat, or nobody but who has its link (null). */
  give(seat: Seat, computer: ComputerLevel | null): Promise<void>;
  /** Makes a new link for a seat; who sat there by another one sits there no more. */
  invite(seat: Seat): Promise<void>;
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
  readonly lobby: Lobby | undefined;
  play(card: Card): Promise<void>;
  next(): Promise<void>;
  hint(): Promise<void>;
  /** Finds out what would have been better in the deal that is over; undefined where that is not to be had. */
  readonly review: (() => Promise<void>) | undefined;
  /** Goes on where a call was lost; undefined where that happens by itself. */
  readonly resume: (() => Promise<void>) | undefined;
  /** Ends all that is under way. */
  close(): void;
}
