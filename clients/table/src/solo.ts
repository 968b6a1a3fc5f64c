/** A game that the page keeps by itself: it asks the service questions, and the service keeps nothing. */

import {
  ask,
  type Card,
  type Deal,
  type DealPosition,
  type NextState,
  type Question,
  type Rules,
  trickOf as readTrick,
  type Seat,
} from "catch-the-ten";
import { claimRest, findSure } from "./claim.ts";
import { choose, type Strength } from "./computer.ts";
import { recordDeal } from "./deal-record.ts";
import { nameComputer } from "./names.ts";
import { NO_TRICK, OpenTable } from "./open-table.ts";
import type { PageClient } from "./patience.ts";
import { describeAll, LOOKING, trickFrom, trickOf } from "./playing.ts";
import { seatSides } from "./seating.ts";
import type { Trick } from "./table-model.ts";
import { type Said, say, sayCard } from "./words/words.ts";

/** What a new game is opened with. */
export interface Choice {
  /** The id of a printed ruleset, or house rules; empty until one has chosen. */
  readonly rules: Rules;
  readonly players: number;
  /** The number of sides. */
  readonly sides: number;
  /** Who plays the other seats: the computer, or people who are sent a link. */
  readonly others: Strength | "people";
  /** The seed of the deal; empty for a new one. */
  readonly seed: string;
  /** The seconds that people have for a move; null for no limit. */
  readonly moveSeconds: number | null;
  /** True if people may take back a card to which all others agree. */
  readonly takeBack: boolean;
  /** The name under which one plays with people; empty until it was asked. */
  readonly name: string;
}

export const FIRST_STRENGTH: Strength = "medium";
export const FIRST_CHOICE: Choice = {
  rules: "" as Rules,
  players: 4,
  sides: 2,
  others: FIRST_STRENGTH,
  seed: "",
  moveSeconds: null,
  takeBack: false,
  name: "",
};

/** Milliseconds after which the computer plays a card, at the earliest. */
const THINKING = 450;
/** Cards in a hand with which one is asked if the rest is one's own; with more it hardly ever is. */
const CLAIMED = 5;

/** A game of one person, in the seat `me`, and the computer. */
export class Solo extends OpenTable {
  #strength: Strength = FIRST_STRENGTH;
  #lastTrick: Trick | undefined;
  /** The first position of the deal that was seen. */
  #first: DealPosition | undefined;
  me: Seat = 0;

  /** Asks for the first deal of a game. */
  static deal(client: PageClient, { rules, players, sides, seed }: Choice): Promise<Deal> {
    return ask(client, "deals", { rules, sides: seatSides(players, sides), ...(seed ? { seed } : {}) });
  }

  /** Plays a game from its first deal. */
  async start(deal: Deal, strength: Strength): Promise<void> {
    this.#strength = strength;
    this.me = 0;
    await this.#showDeal(deal, this.#begin());
  }

  /** Goes on from a position, or its notation, in a seat; by default in the one that is to play. */
  async open(state: Question<"positions">["state"], strength: Strength, seat?: Seat): Promise<void> {
    this.#strength = strength;
    const run = this.#begin();
    const position = await ask(this.client, "positions", { state });
    this.me = seat !== undefined && seat in position.state.hands ? seat : (position.turn ?? 0);
    this.plays = position.state.taken.some((cards) => cards.length > 0) ? undefined : readTrick(position.state);
    await this.#show(position, run, () => say("text.deal", { deal: position.state.deal }));
  }

  /** Deals the next deal. */
  async next(): Promise<void> {
    if (this.position?.phase !== "deal_over" || this.busy) return;
    const { state } = this.position;
    const deal = await this.work(() => ask(this.client, "deals", { after: state }));
    if (deal !== undefined) await this.#showDeal(deal, this.#begin());
  }

  /** Goes on where a call was lost. */
  async resume(): Promise<void> {
    if (!this.busy) await this.#goOn(this.run);
  }

  /** Claims the rest of the deal; where it holds against every play, it is played out. */
  get claim(): (() => Promise<void>) | undefined {
    const { isMyTurn, hand = [], position } = this.shown ?? {};
    if (!isMyTurn || position === undefined || hand.length < 2 || hand.length > CLAIMED) return undefined;
    const run = this.run;
    return () =>
      this.work(async () => {
        const found = await claimRest(this.client.patient, position, this.me, this.plays, this.name);
        if (run !== this.run) return;
        this.text = found.text;
        this.changed();
        if (!found.holds) return;
        await this.pause.take(2 * LOOKING);
        await this.#goOn(run, true);
      });
  }

  protected readonly name = (seat: Seat): string | undefined => (seat === this.me ? undefined : nameComputer(seat));

  protected see(position: DealPosition, isFree: boolean) {
    const hand = position.state.hands[this.me];
    const isMyTurn = isFree && position.turn === this.me;
    return {
      me: this.me,
      looksOn: false,
      hand: Array.isArray(hand) ? hand : [],
      legal: isMyTurn ? (position.legal_cards ?? []) : [],
      isMyTurn,
      lastTrick: this.#lastTrick,
      proof: undefined,
      timeLeft: undefined,
      sits: [],
    };
  }

  protected async lay(card: Card): Promise<void> {
    const { run } = this;
    await this.#take(card, run);
    await this.#goOn(run);
  }

  /** Begins anew: what is under way is dropped. */
  #begin(): number {
    this.run += 1;
    this.plays = undefined;
    this.trick = NO_TRICK;
    this.scores = this.hints = this.verdict = this.#lastTrick = undefined;
    this.busy = true;
    this.changed();
    return this.run;
  }

  async #showDeal({ position }: Deal, run: number): Promise<void> {
    this.plays = [];
    await this.#show(position, run, () => say("text.new_deal", { card: sayCard(position.state.turn_up) }));
  }

  async #show(position: DealPosition, run: number, text: Said): Promise<void> {
    if (run !== this.run) return;
    this.position = this.#first = position;
    this.trick = trickOf(position);
    this.text = text;
    await this.#goOn(run);
  }

  /** Lets the computer play until it is the person's turn, or the deal is over; a claim plays for the person, too. */
  async #goOn(run: number, claims = false): Promise<void> {
    await this.work(async () => {
      while (run === this.run && this.position?.phase === "playing" && (claims || this.position.turn !== this.me)) {
        const [card] = await Promise.all([this.#choose(this.position), this.pause.take(THINKING)]);
        if (card === undefined) return;
        if (run === this.run) await this.#take(card, run);
      }
      if (run === this.run && this.position?.phase !== "playing") await this.#count();
    });
  }

  /** Chooses a card for the seat whose turn it is: for the person's one that keeps the claim, if there is one. */
  #choose(position: DealPosition): Promise<Card | undefined> {
    const client = this.client.patient;
    if (position.turn === this.me) return findSure(client, position, this.me, this.plays);
    return choose(client, position, this.plays, this.#strength);
  }

  /** Plays a card for the seat whose turn it is, and shows what comes of it. */
  async #take(card: Card, run: number): Promise<void> {
    const before = this.position as DealPosition;
    const answer: NextState = await ask(this.client, "next-states", { state: before.state, cards: [card] });
    if (run !== this.run) return;
    this.hints = this.verdict = undefined;
    this.plays = this.plays && [...this.plays, { seat: before.turn as Seat, card }];
    this.text = () => describeAll(answer.events, this.name);
    this.position = answer.position;
    const taken = answer.events.find((event) => event.type === "trick_taken");
    if (taken !== undefined) {
      const trick = trickFrom(taken.leader, taken.cards, before.state.hands.length);
      this.#lastTrick = { ...trick, winner: taken.seat };
      this.trick = { ...this.#lastTrick, taken: true };
      this.changed();
      await this.pause.take(LOOKING);
      if (run !== this.run) return;
    }
    this.trick = trickOf(answer.position);
    this.changed();
  }

  async #count(): Promise<void> {
    const position = this.position as DealPosition;
    const scores = await ask(this.client, "scores", { state: position.state });
    this.scores = { ...scores, ...(this.#first && this.plays && { record: recordDeal(this.#first, this.plays) }) };
  }
}
