/** A window with a table: what is shown of it, and what becomes of what one does there. */

import type { DealPosition } from "catch-the-ten";
import { type Failure, readFailure } from "./failure.ts";
import type { KeptTable } from "./kept-seats.ts";
import { Live } from "./live.ts";
import { tune } from "./sound.ts";
import type { Lobby, Shown, Table } from "./table-model.ts";
import { keepWishes, readWishes, type Wishes } from "./wishes.ts";

export type Panel =
  | "none"
  | "setup"
  | "friends"
  | "calls"
  | "games"
  | "seats"
  | "more"
  | "how"
  | "count"
  | "sheet"
  | "board";

type Work = () => Promise<void> | undefined;

export abstract class TableWindow {
  panel: Panel = "none";
  wishes = readWishes();
  failure: Failure | undefined;
  table: Table | undefined;
  /** The live games at which this browser keeps a seat, once one has asked for them. */
  tables: readonly KeptTable[] = [];
  /** The position over which the last trick is looked at again. */
  lookedBack: DealPosition | undefined;

  /** Draws what has changed. */
  abstract readonly changed: () => void;
  /** Tries again what was lost. */
  abstract readonly again: () => void;

  get shown(): Shown | undefined {
    return this.table?.shown;
  }

  get lobby(): Lobby | undefined {
    return this.table?.lobby;
  }

  get live(): Live | undefined {
    return this.table instanceof Live ? this.table : undefined;
  }

  /** True if one comes by the link of a table at which seats are free. */
  get isInvited(): boolean {
    return this.lobby?.seat === null && this.lobby.link !== undefined;
  }

  /** True while the last trick is looked at again. */
  get looksBack(): boolean {
    return this.shown !== undefined && this.lookedBack === this.shown.position;
  }

  /** True on a first deal, as long as nothing is taken: a coach is offered to who has never chosen. */
  get isNew(): boolean {
    const { shown } = this;
    if (this.wishes.coach !== undefined || this.failure || this.live || !shown?.isMyTurn) return false;
    return shown.position.state.taken.every((cards) => cards.length === 0);
  }

  protected set(change: object): void {
    Object.assign(this, change);
    this.changed();
  }

  /** Does something, and shows the text of what goes wrong; `retry` is what a new try does. */
  readonly act = (work: Work, retry = this.again): void => {
    this.set({ failure: undefined });
    work()?.catch((error: unknown) => this.fail(error, retry));
  };

  /** Asks something that changes nothing: a new try asks it again. */
  protected inquire(work: Work): void {
    this.act(work, () => this.inquire(work));
  }

  protected fail(error: unknown, retry = this.again): void {
    this.set({ failure: { ...readFailure(error), retry } });
  }

  /** Gets ready to sound, in a click. */
  readonly tune = (): void => {
    if (this.wishes.sound) tune();
  };

  readonly lookBack = (): void => this.set({ lookedBack: this.looksBack ? undefined : this.shown?.position });

  readonly wish = (change: Partial<Wishes>): void => {
    const wishes = { ...this.wishes, ...change };
    keepWishes(wishes);
    this.set({ wishes });
  };
}
