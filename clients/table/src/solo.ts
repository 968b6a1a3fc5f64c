/** A game that the page keeps by itself: it asks the service questions, and the service keeps nothing. */

import {
  ask,
  type Card,
  type Deal,
  type DealPosition,
  isProblem,
  type NextState,
  type Question,
  type RecordedPlay,
  type Rules,
  trickOf as readTrick,
  type Seat,
  type Suggestion,
  type Verdict,
} from "catch-the-ten";
import { claimRest, findSure } from "./claim.ts";
import { Pause } from "./clock.ts";
import { choose, type Strength, suggest } from "./computer.ts";
import { recordDeal } from "./deal-record.ts";
import { nameComputer } from "./names.ts";
import type { PageClient } from "./patience.ts";
import { describeAll, LOOKING, trickFrom, trickOf } from "./playing.ts";
import { seatSides } from "./seating.ts";
import type { DealCount, Shown, Table, Trick } from "./table-model.ts";
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
export class Solo implements Table {
  readonly #client: PageClient;
  readonly #changed: () => void;
  #strength: Strength = FIRST_STRENGTH;
  #position: DealPosition | undefined;
  /** The plays of the deal so far; undefined if the page came to it later. */
  #plays: readonly RecordedPlay[] | undefined;
  #trick: Trick = { cards: [], winner: null, taken: false };
  #lastTrick: Trick | undefined;
  #scores: DealCount | undefined;
  #text: Said = () => "";
  #verdict: Verdict | undefined;
  #hints: Suggestion | undefined;
  /** The first position of the deal that was seen. */
  #first: DealPosition | undefined;
  #busy = false;
  readonly #pause: Pause;
  /** The number of the game or deal that is shown: what was begun for an earlier one is dropped. */
  #run = 0;
  me: Seat = 0;

  constructor(client: PageClient, changed: () => void) {
    this.#client = client;
    this.#pause = new Pause(client.clock);
    this.#changed = changed;
  }

  readonly mistake = undefined;
  readonly countAll = undefined;
  /** No link leads to a game that the page keeps by itself. */
  readonly lobby = undefined;

  get shown(): Shown | undefined {
    const position = this.#position;
    if (position === undefined) return undefined;
    const hand = position.state.hands[this.me];
    const mine = position.turn === this.me && !this.#busy && !this.#trick.taken;
    return {
      position,
      me: this.me,
      looksOn: false,
      hand: Array.isArray(hand) ? hand : [],
      legal: mine ? (position.legal_cards ?? []) : [],
      isMyTurn: mine,
      names: position.state.hands.map((_, seat) => this.#name(seat) ?? say("you")),
      trick: this.#trick,
      lastTrick: this.#lastTrick,
      scores: this.#scores,
      proof: undefined,
      text: this.#text,
      verdict: this.#verdict,
      hints: this.#hints,
      busy: this.#busy,
      timeLeft: undefined,
      sits: [],
    };
  }

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
    const position = await ask(this.#client, "positions", { state });
    this.me = seat !== undefined && seat in position.state.hands ? seat : (position.turn ?? 0);
    this.#plays = position.state.taken.some((cards) => cards.length > 0) ? undefined : readTrick(position.state);
    await this.#show(position, run, () => say("text.deal", { deal: position.state.deal }));
  }

  /** Deals the next deal. */
  async next(): Promise<void> {
    if (this.#position?.phase !== "deal_over" || this.#busy) return;
    const { state } = this.#position;
    const deal = await this.#while(() => ask(this.#client, "deals", { after: state }));
    if (deal !== undefined) await this.#showDeal(deal, this.#begin());
  }

  /** Plays a card of the person; where it may not be played, `shown.reason` says why. */
  async play(card: Card): Promise<void> {
    if (!this.shown?.isMyTurn) return;
    this.#verdict = undefined;
    const run = this.#run;
    await this.#while(async () => {
      try {
        await this.#take(card, run);
      } catch (error) {
        if (!isProblem(error, "illegal_play")) throw error;
        this.#verdict = error.problem.verdict;
        return;
      }
      await this.#goOn(run);
    });
  }

  /** Goes on where a call was lost. */
  async resume(): Promise<void> {
    if (!this.#busy) await this.#goOn(this.#run);
  }

  /** Claims the rest of the deal; where it holds against every play, it is played out. */
  get claim(): (() => Promise<void>) | undefined {
    const { isMyTurn, hand = [], position } = this.shown ?? {};
    if (!isMyTurn || position === undefined || hand.length < 2 || hand.length > CLAIMED) return undefined;
    const run = this.#run;
    return () =>
      this.#while(async () => {
        this.#verdict = undefined;
        const found = await claimRest(this.#client.patient, position, this.me, this.#plays, this.#name);
        if (run !== this.#run) return;
        this.#text = found.text;
        this.#changed();
        if (!found.holds) return;
        await this.#pause.take(2 * LOOKING);
        await this.#goOn(run, true);
      });
  }

  goOn(): void {
    this.#pause.end();
  }

  /** Drops what is under way. */
  close(): void {
    this.#run += 1;
  }

  /** Asks what the person should play. */
  async hint(): Promise<void> {
    const position = this.#position;
    if (position === undefined || !this.shown?.isMyTurn) return;
    this.#verdict = undefined;
    const hints = await this.#while(() => suggest(this.#client.patient, position, this.#plays, "hard"));
    if (position !== this.#position) return;
    this.#hints = hints;
    if (hints === undefined) this.#text = () => say("problem.suggestions_off");
    this.#changed();
  }

  readonly #name = (seat: Seat): string | undefined => (seat === this.me ? undefined : nameComputer(seat));

  /** Begins anew: what is under way is dropped. */
  #begin(): number {
    this.#run += 1;
    this.#plays = undefined;
    this.#trick = { cards: [], winner: null, taken: false };
    this.#scores = this.#hints = this.#verdict = this.#lastTrick = undefined;
    this.#busy = true;
    this.#changed();
    return this.#run;
  }

  /** Waits for an answer, in which time nothing else is begun. Returns undefined if the game is left meanwhile. */
  async #while<T>(work: () => Promise<T>): Promise<T | undefined> {
    const run = this.#run;
    this.#busy = true;
    this.#changed();
    try {
      const done = await work();
      return run === this.#run ? done : undefined;
    } finally {
      if (run === this.#run) this.#busy = false;
      this.#changed();
    }
  }

  async #showDeal({ position }: Deal, run: number): Promise<void> {
    this.#plays = [];
    await this.#show(position, run, () => say("text.new_deal", { card: sayCard(position.state.turn_up) }));
  }

  async #show(position: DealPosition, run: number, text: Said): Promise<void> {
    if (run !== this.#run) return;
    this.#position = this.#first = position;
    this.#trick = trickOf(position);
    this.#text = text;
    await this.#goOn(run);
  }

  /** Lets the computer play until it is the person's turn, or the deal is over; a claim plays for the person, too. */
  async #goOn(run: number, claims = false): Promise<void> {
    await this.#while(async () => {
      while (run === this.#run && this.#position?.phase === "playing" && (claims || this.#position.turn !== this.me)) {
        const [card] = await Promise.all([this.#choose(this.#position), this.#pause.take(THINKING)]);
        if (card === undefined) return;
        if (run === this.#run) await this.#take(card, run);
      }
      if (run === this.#run && this.#position?.phase !== "playing") await this.#count();
    });
  }

  /** Chooses a card for the seat whose turn it is: for the person's one that keeps the claim, if there is one. */
  #choose(position: DealPosition): Promise<Card | undefined> {
    const client = this.#client.patient;
    if (position.turn === this.me) return findSure(client, position, this.me, this.#plays);
    return choose(client, position, this.#plays, this.#strength);
  }

  /** Plays a card for the seat whose turn it is, and shows what comes of it. */
  async #take(card: Card, run: number): Promise<void> {
    const before = this.#position as DealPosition;
    const answer: NextState = await ask(this.#client, "next-states", { state: before.state, cards: [card] });
    if (run !== this.#run) return;
    this.#hints = this.#verdict = undefined;
    this.#plays = this.#plays && [...this.#plays, { seat: before.turn as Seat, card }];
    this.#text = () => describeAll(answer.events, this.#name);
    this.#position = answer.position;
    const taken = answer.events.find((event) => event.type === "trick_taken");
    if (taken !== undefined) {
      const trick = trickFrom(taken.leader, taken.cards, before.state.hands.length);
      this.#lastTrick = { ...trick, winner: taken.seat };
      this.#trick = { ...this.#lastTrick, taken: true };
      this.#changed();
      await this.#pause.take(LOOKING);
      if (run !== this.#run) return;
    }
    this.#trick = trickOf(answer.position);
    this.#changed();
  }

  async #count(): Promise<void> {
    const position = this.#position as DealPosition;
    const scores = await ask(this.#client, "scores", { state: position.state });
    this.#scores = { ...scores, ...(this.#first && this.#plays && { record: recordDeal(this.#first, this.#plays) }) };
  }
}
