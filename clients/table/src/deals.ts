/** The deals of the game that is shown: the counts of those that are over, and one that is looked at again. */

import { type Board, openBoard } from "./board.ts";
import { NoRecord } from "./failure.ts";
import type { PageClient } from "./patience.ts";
import type { DealCount, Shown, Table } from "./table-model.ts";

/** By deal: the counts that a window has seen, as its history keeps them when it is loaded again. */
export type Seen = readonly (readonly [number, DealCount])[];

export class Deals {
  /** By deal: the counts of the game that is shown. */
  counts = new Map<number, DealCount>();
  /** A deal that was looked at last: of the table, or by a link, without a table. */
  board: Board | undefined;
  /** True while a deal is played back. */
  isLooking = false;
  readonly #client: PageClient;
  readonly #changed: () => void;

  constructor(client: PageClient, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  /** Begins with another game. */
  begin(seen?: Seen | null): void {
    this.counts = new Map(seen);
    this.board = undefined;
    this.isLooking = false;
  }

  note({ position, scores }: Shown): void {
    if (scores !== undefined) this.counts.set(position.state.deal, scores);
  }

  /** Returns if a deal that is over can be looked at again. */
  isKept(deal: number, table: Table | undefined): boolean {
    return table?.countAll !== undefined || this.counts.get(deal)?.record !== undefined;
  }

  /** Plays a deal back, once. Returns if it is to be shown: `isHere` tells if its table is still the one that is shown. */
  async look(deal: number, table: Table, isHere: () => boolean): Promise<boolean> {
    const { shown } = table;
    if (shown === undefined || this.isLooking) return false;
    this.isLooking = true;
    this.#changed();
    try {
      if (this.board?.record.deal === deal) return true;
      const board = await this.#playBack(deal, table, shown);
      // Somebody else may have dealt meanwhile, and the next deal is played.
      if (!isHere() || shown.position.state.deal !== table.shown?.position.state.deal) return false;
      this.board = board;
      return true;
    } finally {
      this.isLooking = false;
      this.#changed();
    }
  }

  async #playBack(deal: number, table: Table, { me, looksOn }: Shown): Promise<Board> {
    const record = this.counts.get(deal)?.record ?? (await table.countAll?.())?.get(deal)?.record;
    if (record === undefined) throw new NoRecord();
    return openBoard(this.#client.patient, record, looksOn ? undefined : me);
  }

  /** Counts all deals of a game: those before this window came to it by their record. */
  async countAll({ shown, countAll }: Table): Promise<void> {
    const { state, phase } = shown?.position ?? {};
    const over = (state?.deal ?? 1) - (phase === "playing" ? 1 : 0);
    if (this.counts.size >= over || countAll === undefined) return;
    this.counts = await countAll();
    this.#changed();
  }
}
