/** What one has seen of a live game's deals, and the proof of a deal held against it. */

import {
  type Card,
  type Client,
  type DealPosition,
  type GameEvent,
  type LiveGame,
  type PrintedRulesetId,
  type Ruleset,
  type Seat,
  unwrap,
} from "catch-the-ten";
import { findFaults, type ProofFault } from "./proof.ts";

/** Notes the commitments and the cards that are shown, and later checks that the deal was none other. */
export class Witness {
  /** By deal: the commitment as it was first shown. */
  readonly #commitments = new Map<number, string>();
  /** The change of seats before these. */
  #seats: string | undefined;
  /** The number of the deal under way. */
  #deal: number | undefined;
  /** By seat: the cards that it is known to have held in this deal. */
  #held: Set<Card>[] = [];

  /** Notes what the proof of the deal will be held against. */
  note({ shuffles, position, seating }: LiveGame, events: readonly GameEvent[]): void {
    // With a change of seats the game commits to another shuffle.
    const seats = JSON.stringify(seating);
    if (seats !== this.#seats) this.#commitments.clear();
    this.#seats = seats;
    for (const { deal, commitment } of shuffles) {
      if (!this.#commitments.has(deal)) this.#commitments.set(deal, commitment);
    }
    if (position === null) return;
    const { deal, hands, later_hands: later } = position.state;
    if (deal !== this.#deal) this.#held = hands.map(() => new Set());
    this.#deal = deal;
    hands.forEach((hand, seat) => {
      for (const one of [hand, ...(later[seat] ?? [])]) if (Array.isArray(one)) this.#hold(seat, ...one);
    });
    for (const event of events) if (event.type === "card_played") this.#hold(event.seat, event.card);
  }

  /** Checks the proof of a deal that is over, and returns what is wrong with it; undefined where there is none. */
  async prove(
    client: Client,
    { rules, shuffles }: LiveGame,
    { state }: DealPosition,
  ): Promise<ProofFault[] | undefined> {
    const proof = shuffles.find(({ deal }) => deal === state.deal)?.proof;
    if (!proof || !("subtle" in crypto)) return undefined;
    const { tables } = typeof rules === "string" ? await read(client, rules) : rules;
    const table = tables.find(({ players }) => players === state.hands.length);
    if (table === undefined) return undefined;
    const commitment = this.#commitments.get(state.deal);
    const seen = { dealer: state.dealer, layout: table, commitment, turnUp: state.turn_up, held: this.#held };
    return findFaults(proof, seen);
  }

  #hold(seat: Seat, ...cards: Card[]): void {
    for (const card of cards) this.#held[seat]?.add(card);
  }
}

function read(client: Client, rules: PrintedRulesetId): Promise<Ruleset> {
  return unwrap(client.GET("/v1/rulesets/{ruleset_id}", { params: { path: { ruleset_id: rules } } }));
}
