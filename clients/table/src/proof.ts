/** The proof of a deal: the cards that follow from a shuffle that was committed to before it, dealt here once more. */

import { type Card, PACK, type Proof, type Seat, type TableRule } from "catch-the-ten";

/** How a ruleset deals at a table: to each player so many hands of so many cards. */
export type Layout = Pick<TableRule, "players" | "hands" | "cards">;

const SHA_BYTES = 32;

async function hash(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

async function hashInHex(text: string): Promise<string> {
  return Array.from(await hash(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the seed of a proof, from which the cards follow. */
async function seedOf({ secret, entropy }: Proof): Promise<string> {
  return hashInHex(["catch-the-ten/seed", secret, ...entropy].join("/"));
}

/** A stream of numbers that a seed makes, each below a bound with equal chance. */
class Numbers {
  readonly #seed: string;
  #block: Uint8Array = new Uint8Array();
  #taken = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  async below(bound: number): Promise<number> {
    const fair = 256 - (256 % bound);
    for (;;) {
      const byte = await this.#byte();
      if (byte < fair) return byte % bound;
    }
  }

  async #byte(): Promise<number> {
    const at = this.#taken % SHA_BYTES;
    if (at === 0) this.#block = await hash(`catch-the-ten/deal/${this.#seed}/${this.#taken / SHA_BYTES}`);
    this.#taken += 1;
    return this.#block[at] ?? 0;
  }
}

async function shuffle(strip: readonly Card[], seed: string): Promise<Card[]> {
  const pack = PACK.filter((card) => !strip.includes(card));
  const numbers = new Numbers(seed);
  for (let place = pack.length - 1; place > 0; place -= 1) {
    const other = await numbers.below(place + 1);
    [pack[place], pack[other]] = [pack[other] as Card, pack[place] as Card];
  }
  return pack;
}

/** Deals the cards that follow from a proof: the turn-up, and by seat its hands, in order. */
export async function dealProved(proof: Proof, dealer: Seat, { players: seats, hands, cards }: Layout) {
  const pack = await shuffle(proof.strip, await seedOf(proof));
  const turnUp = pack[seats * hands * cards - 1];
  const piles: Card[][] = Array.from({ length: seats * hands }, () => []);
  for (let left = cards; left > 0; ) {
    const round = proof.three_at_a_time ? Math.min(3, left) : 1;
    for (const pile of piles) pile.push(...pack.splice(0, round));
    left -= round;
  }
  const handsOf = (seat: Seat) =>
    Array.from({ length: hands }, (_, hand) => piles[((seat - dealer - 1 + seats) % seats) + hand * seats] ?? []);
  return { turnUp, hands: Array.from({ length: seats }, (_, seat) => handsOf(seat)) };
}

/** What a seat saw of a deal, against which its proof is held. */
export interface Witness {
  readonly dealer: Seat;
  readonly layout: Layout;
  /** The commitment that was shown before the deal. */
  readonly commitment: string | undefined;
  readonly turnUp: Card;
  /** By seat: the cards that it is known to have held. */
  readonly held: readonly ReadonlySet<Card>[];
}

/** What can be wrong with a proof. */
export type ProofFault = "secret" | "commitment" | "turn_up" | "cards";

/** Returns what is wrong with a proof; nothing, if it proves the deal. */
export async function findFaults(proof: Proof, witness: Witness): Promise<ProofFault[]> {
  const { turnUp, hands } = await dealProved(proof, witness.dealer, witness.layout);
  const isHeld = (cards: ReadonlySet<Card>, seat: Seat): boolean =>
    [...cards].every((card) => (hands[seat]?.flat() ?? []).includes(card));
  const faults: Record<ProofFault, boolean> = {
    secret: (await hashInHex(`catch-the-ten/commitment/${proof.secret}`)) !== proof.commitment,
    commitment: witness.commitment !== undefined && witness.commitment !== proof.commitment,
    turn_up: turnUp !== witness.turnUp,
    cards: !witness.held.every(isHeld),
  };
  return (Object.keys(faults) as ProofFault[]).filter((fault) => faults[fault]);
}
