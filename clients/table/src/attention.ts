/** What one's turn brings, for who wishes it: a sound, and the advice of a coach. */

import type { DealPosition } from "catch-the-ten";
import { ring } from "./sound.ts";
import type { Shown } from "./table-model.ts";
import type { Wishes } from "./wishes.ts";

export class Attention {
  /** The position for which the coach was asked last. */
  #advised: DealPosition | undefined;
  /** The cards on the table and those taken when it was one's turn last. */
  #turn = "";

  /** Sounds once when it is one's turn. Returns if the coach is to be asked now. */
  heed(shown: Shown | undefined, { sound, coach }: Wishes): boolean {
    if (!shown?.isMyTurn) return false;
    const { deal, trick, taken } = shown.position.state;
    const turn = String([deal, trick, taken]);
    if (sound && turn !== this.#turn) ring();
    this.#turn = turn;
    if (!coach || this.#advised === shown.position) return false;
    this.#advised = shown.position;
    return true;
  }
}
