/** A live game, kept by the service, that several people play, each in a window of their own. */

import {
  type Card,
  type DealPosition,
  type FollowOptions,
  type Game,
  type GameEvent,
  isProblem,
  joinGame,
  type LiveGame,
  openGame,
  type Seat,
} from "catch-the-ten";
import { type Address, writeAddress, writeSeats } from "./address.ts";
import { countDeal, countDeals } from "./counting.ts";
import { findOwn, joinAt, readInvitations } from "./joining.ts";
import { dropIfGone, findSeat, type Invitations, type KeptSeat, keepSeat, moveSeat } from "./kept-seats.ts";
import { findSitter, isTaken, showLobby } from "./lobby.ts";
import { namePlayers } from "./names.ts";
import { NO_TRICK, OpenTable } from "./open-table.ts";
import type { PageClient } from "./patience.ts";
import { describeAll, LOOKING, trickOf } from "./playing.ts";
import type { ProofFault } from "./proof.ts";
import { SeatKeeper } from "./seat-keeper.ts";
import { seatSides } from "./seating.ts";
import type { Choice } from "./solo.ts";
import type { DealCount, Lobby, Mistake } from "./table-model.ts";
import { Witness } from "./witness.ts";
import { say } from "./words/words.ts";

/** Where one is at a game: at a seat that is kept, perhaps as the host, too; or one looks on, with a link to free seats. */
interface Place {
  readonly host?: Game | undefined;
  readonly kept?: KeptSeat;
  readonly link?: Invitations;
}

/** A seat at a live game, or a place from which one looks on. */
export class Live extends OpenTable {
  readonly #game: Game;
  /** The host's way to the game, at the seat of who opened it. */
  readonly #host: Game | undefined;
  readonly #keeper: SeatKeeper;
  #connected = true;
  #proof: readonly ProofFault[] | undefined;
  readonly #following: FollowOptions = {
    onConnection: (connected) => {
      this.#connected = connected;
      this.changed();
    },
    onPresence: () => this.changed(),
  };
  readonly #witness = new Witness();
  /** The seat whose card lies last on the table, and was not taken back to yet. */
  #playedLast: Seat | undefined;
  /** True if one does not agree to what is asked: the next card ends the question. */
  #declined = false;
  #closed = false;

  private constructor(client: PageClient, changed: () => void, game: Game, seat: Place) {
    super(client, changed);
    this.#game = game;
    this.#host = seat.host;
    this.#keeper = new SeatKeeper(client, game, seat.kept, seat.link ?? []);
  }

  /**
   * Opens a game in which one seat is taken, and the others wait for people.
   *
   * Its opener takes the seat as everybody does, so that the table waits for the others though nobody is there.
   */
  static async open(client: PageClient, changed: () => void, choice: Choice, before?: KeptSeat): Promise<Live> {
    const { rules, players, name, moveSeconds: move_seconds, takeBack: take_back } = choice;
    const { seat = 0, setup } = before ?? {};
    const seats = Array.from({ length: players }, (_, at) => ({
      name: at === seat ? name : (setup?.given[at] ?? null),
    }));
    const sides = seatSides(players, choice.sides);
    const opened = await openGame(client, { rules, sides, seats, move_seconds, take_back });
    const { id: game, host_token: host } = opened;
    const invitations = opened.seats.map((one) => (one.seat === seat ? null : one.token));
    using own = await joinGame(client, { id: game, token: opened.seats[seat]?.token });
    const kept = keepSeat({ game, seat, token: await own.renewToken(), names: [], invitations, host });
    return Live.sitDown(client, changed, kept);
  }

  /** Opens the next game for the same people; undefined for who looks on. */
  get openRematch(): (() => Promise<Live>) | undefined {
    if (this.#game.seat === null) return undefined;
    return async () => this.#sitDownAt(await this.#game.openRematch());
  }

  /**
   * Waits until somebody opens the next game for the same people, and sits down there; at this one, if one has got
   * another seat.
   *
   * Returns undefined once one has left this table, or the game is gone.
   */
  async awaitRematch(): Promise<Live | undefined> {
    try {
      if (this.#keeper.hasMoved && this.#keeper.kept) return await this.#sitDownAt(this.#game);
      return await this.#sitDownAt(await this.#game.awaitRematch(this.#following));
    } catch (error) {
      const found = this.#keeper.dropIfGone(error);
      if (this.#closed || isProblem(error, "game_gone")) return undefined;
      throw found;
    }
  }

  #sitDownAt(next: Game): Promise<Live> {
    const { id } = next;
    const { kept: from, invitations } = this.#keeper;
    next.close();
    const isNew = id !== this.id;
    const kept = from && isNew ? (findSeat(id, from.seat) ?? keepSeat({ ...from, game: id, invitations })) : from;
    if (kept) return Live.sitDown(this.client, this.changed, kept);
    return Live.watch(this.client, this.changed, id, this.#keeper.invitations);
  }

  /**
   * Sits down at a seat of one's own that is kept.
   *
   * @throws {UsedLink} if somebody has taken it with another link since.
   */
  static async sitDown(client: PageClient, changed: () => void, found: KeptSeat): Promise<Live> {
    const { game: id, host: token } = found;
    let kept = found;
    try {
      const game = await joinAt(client, id, kept.token);
      if (game.seat !== null) kept = moveSeat(kept, game.seat);
      const host = token === undefined ? undefined : await joinGame(client, { id, token });
      const live = new Live(client, changed, game, { host, kept });
      live.#keeper.keepTable();
      await live.#keeper.findTaken();
      return live;
    } catch (error) {
      throw dropIfGone(kept, error);
    }
  }

  /** Looks on, with the link of the table if one came by it. */
  static async watch(client: PageClient, changed: () => void, id: string, link: Invitations = []): Promise<Live> {
    return new Live(client, changed, await joinGame(client, { id }), { link });
  }

  /** Comes to a game by an address: to a seat of one's own, or to look on and take one of the seats that are free. */
  static async arrive(client: PageClient, changed: () => void, address: Address): Promise<Live> {
    const own = await findOwn(client, address);
    if (own !== undefined) return Live.sitDown(client, changed, own);
    return Live.watch(client, changed, address.game ?? "", await readInvitations(client, address));
  }

  /** Takes a free seat under a name, or another one where somebody was faster. */
  async take(seat: Seat, name: string): Promise<Live> {
    const live = await Live.sitDown(this.client, this.changed, await this.#keeper.take(seat, name));
    if (live.lobby.mine?.computer) await live.#game.takeSeatBack();
    return live;
  }

  /** The address of this window, which leads back to the seat in this browser alone, or to those that are free. */
  get id(): string {
    return this.#game.id;
  }

  get address(): string {
    const { id: game, seat } = this.#game;
    if (seat !== null) return writeAddress({ game, seat: String(seat) });
    const { link } = this.#keeper;
    return writeAddress({ game, ...(link.length > 0 && { seats: writeSeats(link) }) });
  }

  protected see(_: DealPosition, isFree: boolean) {
    const { seat, state } = this.#game;
    const { last_trick: lastTrick, move_ends_at: ends } = state;
    const isMyTurn = isFree && this.#game.isMyTurn;
    return {
      me: seat ?? 0,
      looksOn: seat === null,
      hand: this.#game.hand,
      legal: isMyTurn ? this.#game.legalCards : [],
      isMyTurn,
      lastTrick: lastTrick === null ? undefined : { ...lastTrick, taken: false },
      proof: this.#proof,
      ...(!this.#connected && { text: () => say("text.lost") }),
      timeLeft: ends === null ? undefined : () => this.client.clock.until(ends),
      sits: state.seats.map((one) => (one.computer === null ? findSitter(one, this.#game) : "computer")),
    };
  }

  get lobby(): Lobby {
    return showLobby({
      game: this.#game,
      host: this.#host,
      keeper: this.#keeper,
      clock: this.client.clock,
      work: async (act) => void (await this.work(act)),
    });
  }

  get mistake(): Mistake | undefined {
    const { seat, state } = this.#game;
    if (seat === null || !state.take_back || state.seats[seat]?.computer !== null) return undefined;
    const takeBack = () => this.work(() => this.#takeBack());
    const asked = state.take_back_asked;
    if (asked === null) return this.#playedLast === seat ? { takeBack, decline: undefined } : undefined;
    if (asked.seat === seat || asked.agreed.includes(seat) || this.#declined) return undefined;
    const decline = (): void => {
      this.#declined = true;
      this.changed();
    };
    return { takeBack, decline };
  }

  /** Follows the game until it is over or closed. */
  async follow(): Promise<void> {
    try {
      await this.#follow();
    } catch (error) {
      throw this.#keeper.dropIfGone(error);
    }
  }

  async #follow(): Promise<void> {
    for await (const { state, events, whole, plays } of this.#game.changes(this.#following)) {
      if (this.#keeper.hasMoved) return;
      this.#witness.note(state, events);
      this.#notePlays(state, events, whole);
      if (!whole) this.client.clock.note(state.changed_at);
      if (whole || events.some(({ type }) => type === "token_renewed")) await this.#keeper.findTaken();
      // Once nobody is waited for, the computer deals by itself where it is the dealer.
      if (state.phase === "to_deal" && state.seats.every(isTaken)) await this.#keeper.voidComputers();
      this.#keeper.keepTable();
      if (!whole) await this.#tell(state, events);
      this.plays = plays;
      await this.#show(state);
    }
  }

  protected async lay(card: Card): Promise<void> {
    await this.#game.play(card);
  }

  /** Deals, by the token of the dealer or of the host; the first deal by that of anybody once all have come. */
  async next(): Promise<void> {
    await this.work(async () => {
      if (this.#game.state.phase === "to_deal") {
        await this.#game.refresh();
        await this.#keeper.voidComputers();
      }
      await (this.#game.isMyDeal ? this.#game : (this.#host ?? this.#game)).deal();
    });
  }

  /** Ends all that runs for the game here; the game itself goes on. */
  override close(): void {
    super.close();
    this.#closed = true;
    this.#game.close();
    this.#host?.close();
  }

  readonly countAll = async (): Promise<Map<number, DealCount>> => countDeals(this.client, await this.#game.record());

  /** Notes whose card can be taken back: the last one, unless it completed a trick or another was taken back since. */
  #notePlays({ position, take_back_asked: asked }: LiveGame, events: readonly GameEvent[], whole: boolean): void {
    const isNew = whole || events.some(({ type }) => type === "card_played");
    const isBack = events.some(({ type }) => type === "taken_back");
    if (isNew) this.#playedLast = position ? trickOf(position).cards.at(-1)?.seat : undefined;
    if (isBack) this.#playedLast = undefined;
    if (asked === null) this.#declined = false;
  }

  async #takeBack(): Promise<void> {
    try {
      await this.#game.takeBack();
    } catch (error) {
      // Who came only now does not know that another card was taken back last: this one is not offered again.
      if (isProblem(error, "cannot_take_back")) this.#playedLast = undefined;
      throw error;
    }
  }

  protected readonly name = (seat: Seat): string | undefined =>
    seat === this.#game.seat ? undefined : namePlayers(this.#game.state)[seat];

  /** Tells what happened; a trick that was taken can be looked at before it is put away. */
  async #tell(state: LiveGame, events: readonly GameEvent[]): Promise<void> {
    this.text = () => describeAll(events, this.name);
    this.hints = undefined;
    const last = state.last_trick;
    if (last === null || !events.some(({ type }) => type === "trick_taken")) return;
    this.trick = { cards: last.cards, winner: last.winner, taken: true };
    this.changed();
    await this.pause.take(LOOKING);
  }

  async #show(state: LiveGame): Promise<void> {
    const position = state.position ?? undefined;
    this.position = position;
    this.trick = position === undefined ? NO_TRICK : trickOf(position);
    const over = position !== undefined && position.phase !== "playing";
    this.#proof = over ? await this.#witness.prove(this.client, state, position) : undefined;
    this.scores = over ? await countDeal(this.client, position) : undefined;
    this.changed();
  }
}
