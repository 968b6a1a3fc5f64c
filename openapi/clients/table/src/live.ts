/** A live game, kept by the service, that several people play, each in a window of their own. */

import {
  ask,
  type Card,
  type Client,
  cardName,
  type Game,
  type GameEvent,
  isProblem,
  joinGame,
  type Level,
  type LiveGame,
  openGame,
  type Position,
  type Seat,
  type Suggestion,
} from "catch-the-ten";
import { writeAddress } from "./address.ts";
import { suggest } from "./computer.ts";
import { describe, LOOKING, rest, trickFrom, trickOf } from "./playing.ts";
import { type Better, readTurns, review } from "./review.ts";
import { seatSides } from "./seating.ts";
import type { Choice } from "./solo.ts";
import type { DealCount, Lobby, Shown, Table, Trick } from "./table-model.ts";
import { Witness } from "./witness.ts";

/** What this window keeps of a game, so that it need not stand in the address: who opened the game has all tokens. */
interface Kept {
  readonly token?: string | undefined;
  readonly opened?: { readonly tokens: readonly string[]; readonly host: string };
}

/** What the opener of a game holds: the tokens of all seats, to invite others, and the host's way to the game. */
interface Hosted {
  readonly tokens: readonly string[];
  readonly host: Game;
}

/** A seat at a live game, or a place from which one looks on. */
export class Live implements Table {
  readonly #client: Client;
  readonly #changed: () => void;
  readonly #game: Game;
  readonly #hosted: Hosted | undefined;
  #position: Position | undefined;
  #trick: Trick = { cards: [], winner: null, taken: false };
  #scores: DealCount | undefined;
  #hints: Suggestion | undefined;
  #reason: string | undefined;
  #text = "";
  #busy = false;
  #connected = true;
  #proof: string | undefined;
  readonly #witness = new Witness();
  #better: readonly Better[] | undefined;
  #reviewing = false;

  private constructor(client: Client, changed: () => void, game: Game, hosted: Hosted | undefined) {
    this.#client = client;
    this.#changed = changed;
    this.#game = game;
    this.#hosted = hosted;
  }

  /** Opens a game in which seat 0 is taken, and the other seats wait for people. */
  static async open(client: Client, changed: () => void, choice: Choice): Promise<Live> {
    const sides = seatSides(choice.players, choice.sides);
    const { id, seats, host_token: host } = await openGame(client, { rules: choice.rules, sides });
    const tokens = seats.map(({ token }) => token);
    keep(id, { token: tokens[0], opened: { tokens, host } });
    return Live.join(client, changed, id);
  }

  /** Joins a game by its id and, unless one looks on or comes back, the token of a seat. */
  static async join(client: Client, changed: () => void, id: string, token?: string): Promise<Live> {
    if (token !== undefined) keep(id, { token });
    const kept = keptOf(id);
    const game = await joinGame(client, { id, token: kept.token });
    const { opened } = kept;
    const hosted = opened && { tokens: opened.tokens, host: await joinGame(client, { id, token: opened.host }) };
    return new Live(client, changed, game, hosted);
  }

  get id(): string {
    return this.#game.id;
  }

  get shown(): Shown | undefined {
    const position = this.#position;
    if (position === undefined) return undefined;
    const mine = this.#game.isMyTurn && !this.#busy && !this.#trick.taken;
    return {
      position,
      me: this.#game.seat ?? 0,
      looksOn: this.#game.seat === null,
      hand: this.#game.hand,
      legal: mine ? this.#game.legalCards : [],
      isMyTurn: mine,
      names: this.#names(),
      trick: this.#trick,
      scores: this.#scores,
      proof: this.#proof,
      text: this.#connected ? this.#text : "The connection is lost; it is made again.",
      reason: this.#reason,
      hints: this.#hints,
      better: this.#better,
      busy: this.#busy || this.#reviewing,
      seed: "",
    };
  }

  get lobby(): Lobby {
    const { seat, state, id } = this.#game;
    const link = (token?: string): string =>
      location.origin + location.pathname + writeAddress({ game: id, ...(token ? { token } : {}) });
    const tokens = this.#hosted?.tokens ?? [];
    return {
      seat,
      phase: state.phase,
      canDeal: this.#canDeal(),
      dealer: this.#names()[state.dealer ?? 0] ?? "",
      others: tokens.flatMap((token, other) =>
        other === seat ? [] : [{ seat: other, link: link(token), computer: state.seats[other]?.computer ?? null }],
      ),
      give: (other, level) => this.#give(other, level),
      watching: link(),
    };
  }

  /** Follows the game until it is over or closed. */
  async follow(): Promise<void> {
    const onConnection = (connected: boolean): void => {
      this.#connected = connected;
      this.#changed();
    };
    for await (const { state, events, whole } of this.#game.changes({ onConnection })) {
      this.#witness.note(state, events);
      if (!whole) await this.#tell(events.map((event) => describe(event, this.#name)).join(" "), state, events);
      await this.#show(state);
    }
  }

  /** Plays a card of one's own; where it may not be played, `shown.reason` says why. */
  async play(card: Card): Promise<void> {
    if (!this.shown?.isMyTurn) return;
    await this.#work(async () => {
      try {
        await this.#game.play(card);
      } catch (error) {
        if (!isProblem(error, "illegal_play")) throw error;
        this.#reason = error.message;
      }
    });
  }

  /** Deals, by the token of the dealer or of the host. */
  async next(): Promise<void> {
    await this.#work(async () => {
      await (this.#game.isMyDeal ? this.#game : this.#hosted?.host)?.deal();
    });
  }

  /** Asks what one should play; the service knows no more of the game for it than this seat does. */
  async hint(): Promise<void> {
    const position = this.#position;
    if (position === undefined || !this.shown?.isMyTurn) return;
    await this.#work(async () => {
      this.#hints = await suggest(this.#client, position, [], "hard");
      this.#text =
        this.#hints === undefined ? "The service makes no suggestions." : `Play the ${cardName(this.#hints.card)}.`;
    });
  }

  /** A stream that is lost is connected again. */
  readonly resume = undefined;

  /** Finds out what would have been better in the deal that is over; undefined for who has played none of it. */
  get review(): (() => Promise<void>) | undefined {
    const { seat } = this.#game;
    return seat === null ? undefined : () => this.#review(seat);
  }

  /** Ends all that runs for the game here; the game itself goes on. */
  close(): void {
    this.#game.close();
    this.#hosted?.host.close();
  }

  async #review(seat: Seat): Promise<void> {
    const position = this.#position;
    if (position === undefined) return;
    this.#reviewing = true;
    this.#changed();
    try {
      const turns = await readTurns(this.#client, await this.#game.record(), position.state, seat);
      const better = await review(this.#client, turns);
      // Somebody else may have dealt meanwhile, and the next deal is played.
      if (position !== this.#position) return;
      this.#better = better;
      if (better === undefined) this.#text = "The service makes no suggestions.";
    } finally {
      this.#reviewing = false;
      this.#changed();
    }
  }

  readonly #name = (seat: Seat): string => this.#names()[seat] ?? `Seat ${seat}`;

  #names(): string[] {
    return this.#game.state.seats.map(({ seat, name, computer }) =>
      seat === this.#game.seat ? "You" : (name ?? (computer ? `Computer ${seat}` : `Seat ${seat}`)),
    );
  }

  /** Lets the computer play a seat, or ends that, by the host's token. */
  async #give(seat: Seat, level: Level | null): Promise<void> {
    const host = this.#hosted?.host;
    await this.#work(async () => {
      if (level === null) await host?.takeSeatBack({ seat });
      else await host?.seatComputer(level, { seat });
    });
  }

  #canDeal(): boolean {
    const { phase } = this.#game.state;
    const due = phase === "to_deal" || phase === "deal_over";
    return due && (this.#game.isMyDeal || this.#hosted !== undefined);
  }

  async #work(work: () => Promise<void>): Promise<void> {
    this.#busy = true;
    this.#reason = undefined;
    this.#changed();
    try {
      await work();
    } finally {
      this.#busy = false;
      this.#changed();
    }
  }

  /** Tells what happened; a trick that was taken can be looked at before it is put away. */
  async #tell(text: string, state: LiveGame, events: readonly GameEvent[]): Promise<void> {
    this.#text = text;
    this.#hints = undefined;
    const last = state.last_trick;
    if (last === null || !events.some(({ type }) => type === "trick_taken")) return;
    this.#trick = { cards: last.cards, winner: last.winner, taken: true };
    this.#changed();
    await rest(LOOKING);
  }

  async #show(state: LiveGame): Promise<void> {
    const position = state.position ?? undefined;
    this.#position = position;
    this.#better = undefined;
    this.#trick = position === undefined ? trickFrom(0, [], 1) : trickOf(position);
    const over = position !== undefined && position.phase !== "playing";
    this.#proof = over ? await this.#witness.prove(this.#client, state, position) : undefined;
    this.#scores = over ? await this.#count(position) : undefined;
    this.#changed();
  }

  /** Counts a deal; by its sums alone where the service answers questions only to apps with a key, as no page has one. */
  async #count({ state, points, totals }: Position): Promise<DealCount> {
    try {
      return await ask(this.#client, "scores", { state });
    } catch (error) {
      if (!isProblem(error, "api_key_missing")) throw error;
      return { sides: state.sides.map((_, side) => ({ side, points: points[side] ?? 0, total: totals[side] ?? 0 })) };
    }
  }
}

function keep(id: string, kept: Kept): void {
  sessionStorage.setItem(id, JSON.stringify(kept));
}

function keptOf(id: string): Kept {
  return JSON.parse(sessionStorage.getItem(id) ?? "{}") as Kept;
}
