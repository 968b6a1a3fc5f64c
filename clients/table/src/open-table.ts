/** A table that is open in this window, of a live game or of a game alone: its cards, and its running requests. */

import {
  type Card,
  type DealPosition,
  isProblem,
  type RecordedPlay,
  type Seat,
  type Suggestion,
  type Verdict,
} from "catch-the-ten";
import { Pause } from "./clock.ts";
import { suggest } from "./computer.ts";
import type { PageClient } from "./patience.ts";
import type { DealCount, Shown, Table, Trick } from "./table-model.ts";
import { type Said, say } from "./words/words.ts";

export const NO_TRICK: Trick = { cards: [], winner: null, taken: false };

/** The part of a table that depends on the kind of game. */
type Own = Pick<Shown, "me" | "looksOn" | "hand" | "legal" | "isMyTurn" | "lastTrick" | "proof" | "timeLeft" | "sits"> &
  Partial<Pick<Shown, "text">>;

export abstract class OpenTable implements Table {
  protected readonly client: PageClient;
  protected readonly changed: () => void;
  protected readonly pause: Pause;
  protected position: DealPosition | undefined;
  /** The plays of the deal so far; undefined if this window came to it later. */
  protected plays: readonly RecordedPlay[] | undefined;
  protected trick = NO_TRICK;
  protected scores: DealCount | undefined;
  protected text: Said = () => "";
  protected verdict: Verdict | undefined;
  protected hints: Suggestion | undefined;
  protected busy = false;
  /** The number of the shown game or deal: results of earlier ones are dropped. */
  protected run = 0;

  constructor(client: PageClient, changed: () => void) {
    this.client = client;
    this.changed = changed;
    this.pause = new Pause(client.clock);
  }

  /** Deals the next deal. */
  abstract next(): Promise<void>;
  /** Returns who sits at a seat; undefined for oneself. */
  protected abstract readonly name: (seat: Seat) => string | undefined;
  /** Returns the view from the own seat; `isFree` if no request is running. */
  protected abstract see(position: DealPosition, isFree: boolean): Own;
  /** Sends the own card. */
  protected abstract lay(card: Card): Promise<void>;

  get shown(): Shown | undefined {
    const { position, trick, scores, text, verdict, hints, busy } = this;
    if (position === undefined) return undefined;
    const names = position.state.hands.map((_, seat) => this.name(seat) ?? say("you"));
    return { position, names, trick, scores, text, verdict, hints, busy, ...this.see(position, !busy && !trick.taken) };
  }

  /** Plays a card of the own hand; if it is illegal, `shown.verdict` says why. */
  async play(card: Card): Promise<void> {
    if (!this.shown?.isMyTurn) return;
    await this.work(async () => {
      try {
        await this.lay(card);
      } catch (error) {
        if (!isProblem(error, "illegal_play")) throw error;
        this.verdict = error.problem.verdict;
      }
    });
  }

  /** Asks for advice; the service gets only what this seat knows. */
  async hint(): Promise<void> {
    const { position } = this;
    if (position === undefined || !this.shown?.isMyTurn) return;
    await this.work(async () => {
      const hints = await suggest(this.client.patient, position, this.plays, "hard");
      if (position !== this.position) return;
      this.hints = hints;
      if (hints === undefined) this.text = () => say("problem.suggestions_off");
    });
  }

  goOn(): void {
    this.pause.end();
  }

  /** Drops all running requests. */
  close(): void {
    this.run += 1;
  }

  /** Waits for an answer, and blocks other acts meanwhile. Returns undefined if the player leaves the table. */
  protected async work<T>(act: () => Promise<T>): Promise<T | undefined> {
    const { run } = this;
    this.busy = true;
    this.verdict = undefined;
    this.changed();
    try {
      const done = await act();
      return run === this.run ? done : undefined;
    } catch (error) {
      // The player has left this table, so its errors no longer matter.
      if (run === this.run) throw error;
      return undefined;
    } finally {
      if (run === this.run) this.busy = false;
      this.changed();
    }
  }
}
