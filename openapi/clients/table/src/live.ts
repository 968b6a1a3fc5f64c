/** A live game, kept by the service, that several people play, each in a window of their own. */

import {
  type AnalyzedDeal,
  type Card,
  type ComputerLevel,
  type DealPosition,
  type FollowOptions,
  type Game,
  type GameEvent,
  isProblem,
  joinGame,
  type LiveGame,
  openGame,
  type Seat,
  type Suggestion,
  type Verdict,
} from "catch-the-ten";
import { type Address, writeAddress } from "./address.ts";
import { noteTime, timeUntil } from "./clock.ts";
import { suggest } from "./computer.ts";
import { countDeal, countDeals } from "./counting.ts";
import { joinAt } from "./joining.ts";
import { dropIfGone, findSeat, type KeptSeat, keepSeat } from "./kept-seats.ts";
import { namePlayer, nameSeat } from "./names.ts";
import type { PageClient } from "./patience.ts";
import { describeAll, LOOKING, Pause, trickFrom, trickOf } from "./playing.ts";
import type { ProofFault } from "./proof.ts";
import { review } from "./review.ts";
import { SeatKeeper } from "./seat-keeper.ts";
import { seatSides } from "./seating.ts";
import type { Choice } from "./solo.ts";
import type { DealCount, Lobby, Mistake, OwnSeat, Shown, Table, Trick } from "./table-model.ts";
import { Witness } from "./witness.ts";
import { type Said, say } from "./words/words.ts";

/** Milliseconds that a table waits if everybody has left it, as long as nothing is dealt and no seat is taken. */
const WAITING = 600_000;

/** A seat at a live game, or a place from which one looks on. */
export class Live implements Table {
  readonly #client: PageClient;
  readonly #changed: () => void;
  readonly #game: Game;
  /** The host's way to the game, at the seat of who opened it. */
  readonly #host: Game | undefined;
  readonly #keeper: SeatKeeper;
  #position: DealPosition | undefined;
  #trick: Trick = { cards: [], winner: null, taken: false };
  #scores: DealCount | undefined;
  #hints: Suggestion | undefined;
  #verdict: Verdict | undefined;
  #text: Said = () => "";
  #busy = false;
  readonly #pause = new Pause();
  #connected = true;
  #proof: readonly ProofFault[] | undefined;
  readonly #following: FollowOptions = {
    onConnection: (connected) => {
      this.#connected = connected;
      this.#changed();
    },
    onPresence: () => this.#changed(),
  };
  readonly #witness = new Witness();
  #analyzed: AnalyzedDeal | undefined;
  #reviewing = false;
  /** The seat whose card lies last on the table, and was not taken back to yet. */
  #playedLast: Seat | undefined;
  /** True if one does not agree to what is asked: the next card ends the question. */
  #declined = false;
  #closed = false;

  private constructor(client: PageClient, changed: () => void, game: Game, host?: Game, kept?: KeptSeat) {
    this.#client = client;
    this.#changed = changed;
    this.#game = game;
    this.#host = host;
    this.#keeper = new SeatKeeper(client, game, kept);
  }

  /** Opens a game in which seat 0 is taken, and the other seats wait for people. */
  static async open(client: PageClient, changed: () => void, choice: Choice): Promise<Live> {
    const sides = seatSides(choice.players, choice.sides);
    const seats = Array.from({ length: choice.players }, (_, seat) => ({ name: seat === 0 ? choice.name : null }));
    const { rules, moveSeconds: move_seconds, takeBack: take_back } = choice;
    const opened = await openGame(client, { rules, sides, seats, move_seconds, take_back });
    const [own = "", ...tokens] = opened.seats.map(({ token }) => token);
    const hosted = { token: opened.host_token, invitations: [null, ...tokens] };
    return Live.sitDown(client, changed, keepSeat({ game: opened.id, seat: 0, token: own, names: [], hosted }));
  }

  /** Opens the next game for the same people, by the host's token; undefined for all others. */
  get openRematch(): (() => Promise<Live>) | undefined {
    const host = this.#host;
    return host && (async () => this.#sitDownAt(await host.openRematch()));
  }

  /**
   * Waits until the host opens the next game for the same people, and sits down at the same seat there.
   *
   * Returns undefined once one has left this table, or the game is gone.
   */
  async awaitRematch(): Promise<Live | undefined> {
    try {
      return await this.#sitDownAt(await this.#game.awaitRematch(this.#following));
    } catch (error) {
      this.#keeper.dropIfGone(error);
      if (this.#closed || isProblem(error, "game_gone")) return undefined;
      throw error;
    }
  }

  #sitDownAt(next: Game): Promise<Live> {
    const { id } = next;
    next.close();
    const { kept: from } = this.#keeper;
    const kept = from && (findSeat(id, from.seat) ?? keepSeat({ ...from, game: id }));
    return kept ? Live.sitDown(this.#client, this.#changed, kept) : Live.watch(this.#client, this.#changed, id);
  }

  /**
   * Sits down at a seat of one's own that is kept.
   *
   * @throws {UsedLink} if somebody has taken it with another link since.
   */
  static async sitDown(client: PageClient, changed: () => void, kept: KeptSeat): Promise<Live> {
    const { game: id, hosted } = kept;
    try {
      const game = await joinAt(client, id, kept.token);
      const host = hosted && (await joinGame(client, { id, token: hosted.token }));
      const live = new Live(client, changed, game, host, kept);
      live.#keeper.keepNames();
      await live.#keeper.findTaken();
      return live;
    } catch (error) {
      dropIfGone(kept, error);
      throw error;
    }
  }

  /**
   * Takes the seat to which one is invited, under a name, in the game that its people play now: the link is of no more use
   * to anybody else.
   */
  static async take(client: PageClient, changed: () => void, invited: Game, name: string): Promise<Live> {
    const { rematch } = await invited.refresh();
    const game = rematch === null ? invited : await invited.awaitRematch();
    const { id, token: invitation, seat } = game;
    if (seat === null || invitation === undefined) throw new TypeError("The link invites to no seat.");
    const kept = keepSeat({ game: id, seat, token: await game.renewToken({ name }), invitation, names: [] });
    const live = new Live(client, changed, game, undefined, kept);
    live.#keeper.keepNames();
    return live;
  }

  /** Looks on. */
  static async watch(client: PageClient, changed: () => void, id: string): Promise<Live> {
    return new Live(client, changed, await joinGame(client, { id }));
  }

  /** The address of this window, which leads back to the seat in this browser alone. */
  get address(): string {
    const { id: game, seat } = this.#game;
    return writeAddress({ game, ...(seat === null ? {} : { seat: String(seat) }) });
  }

  get shown(): Shown | undefined {
    const position = this.#position;
    if (position === undefined) return undefined;
    const mine = this.#game.isMyTurn && !this.#busy && !this.#trick.taken;
    const lastTrick = this.#game.state.last_trick;
    return {
      position,
      me: this.#game.seat ?? 0,
      looksOn: this.#game.seat === null,
      hand: this.#game.hand,
      legal: mine ? this.#game.legalCards : [],
      isMyTurn: mine,
      names: this.#game.state.seats.map(({ seat }) => this.#name(seat) ?? say("you")),
      trick: this.#trick,
      lastTrick: lastTrick === null ? undefined : { ...lastTrick, taken: false },
      scores: this.#scores,
      proof: this.#proof,
      text: this.#connected ? this.#text : () => say("text.lost"),
      verdict: this.#verdict,
      hints: this.#hints,
      analyzed: this.#analyzed,
      busy: this.#busy || this.#reviewing,
      seed: "",
      moveEndsAt: this.#game.state.move_ends_at,
      present: this.#game.state.seats.map((seat) => this.#isPresent(seat)),
    };
  }

  get lobby(): Lobby {
    const { seat, state, id: game } = this.#game;
    const link = (more: Partial<Address>): string =>
      location.origin + location.pathname + writeAddress({ game, ...more });
    const { kept, invitations } = this.#keeper;
    return {
      seat,
      phase: state.phase,
      waitsUntil: this.#waitsUntil(),
      canDeal: this.#canDeal(),
      name: seat === null ? null : (state.seats[seat]?.name ?? null),
      dealer: this.#name(state.dealer),
      others: state.seats.flatMap((one) => {
        const { seat: other, computer } = one;
        const token = invitations[other];
        if (other === seat || token === undefined) return [];
        const partner = seat !== null && state.seats[seat]?.side === one.side;
        const invitation = token === null ? undefined : link({ token });
        return [{ seat: other, name: nameSeat(one), partner, link: invitation, computer }];
      }),
      give: (other, level) => this.#give(other, level),
      invite: (other) => this.#invite(other),
      mine:
        seat === null || state.phase === "game_over" ? undefined : this.#ownSeat(state.seats[seat]?.computer ?? null),
      watching: link({}),
      own: kept && link({ seat: String(kept.seat), token: kept.token }),
    };
  }

  get mistake(): Mistake | undefined {
    const { seat, state } = this.#game;
    if (seat === null || !state.take_back || state.seats[seat]?.computer !== null) return undefined;
    const takeBack = () => this.#work(() => this.#takeBack());
    const asked = state.take_back_asked;
    if (asked === null) return this.#playedLast === seat ? { takeBack, decline: undefined } : undefined;
    if (asked.seat === seat || asked.agreed.includes(seat) || this.#declined) return undefined;
    const decline = (): void => {
      this.#declined = true;
      this.#changed();
    };
    return { takeBack, decline };
  }

  /** Returns whether the person at another seat is there; undefined for a computer, and for oneself. */
  #isPresent({ seat, computer, present }: LiveGame["seats"][number]): boolean | undefined {
    return computer === null && seat !== this.#game.seat ? present : undefined;
  }

  /** Follows the game until it is over or closed. */
  async follow(): Promise<void> {
    try {
      await this.#follow();
    } catch (error) {
      this.#keeper.dropIfGone(error);
      throw error;
    }
  }

  async #follow(): Promise<void> {
    for await (const { state, events, whole } of this.#game.changes(this.#following)) {
      this.#witness.note(state, events);
      this.#notePlays(state, events, whole);
      if (!whole) noteTime(state.changed_at);
      if (whole || events.some(({ type }) => type === "token_renewed")) await this.#keeper.findTaken();
      this.#keeper.keepNames();
      if (!whole) await this.#tell(state, events);
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
        this.#verdict = error.problem.verdict;
      }
    });
  }

  /** Deals, by the token of the dealer or of the host. */
  async next(): Promise<void> {
    await this.#work(async () => {
      await (this.#game.isMyDeal ? this.#game : this.#host)?.deal();
    });
  }

  /** Asks what one should play; the service knows no more of the game for it than this seat does. */
  async hint(): Promise<void> {
    const position = this.#position;
    if (position === undefined || !this.shown?.isMyTurn) return;
    await this.#work(async () => {
      this.#hints = await suggest(this.#client.patient, position, [], "hard");
      if (this.#hints === undefined) this.#text = () => say("text.no_hints");
    });
  }

  /** A stream that is lost is connected again. */
  readonly resume = undefined;

  goOn(): void {
    this.#pause.end();
  }

  /** Ends all that runs for the game here; the game itself goes on. */
  close(): void {
    this.#closed = true;
    this.#game.close();
    this.#host?.close();
  }

  /** Finds out where the deal that is over was lost. */
  readonly review = async (): Promise<void> => {
    const position = this.#position;
    if (position === undefined) return;
    this.#reviewing = true;
    this.#changed();
    try {
      const analyzed = await review(this.#client.patient, await this.#game.record(), position.state.deal);
      // Somebody else may have dealt meanwhile, and the next deal is played.
      if (position === this.#position) this.#analyzed = analyzed;
    } finally {
      this.#reviewing = false;
      this.#changed();
    }
  };

  readonly countAll = async (): Promise<Map<number, DealCount>> => countDeals(this.#client, await this.#game.record());

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

  readonly #name = (seat: Seat, name = nameSeat): string | undefined => {
    const found = this.#game.state.seats[seat];
    return seat === this.#game.seat || found === undefined ? undefined : name(found);
  };

  /** Lets the computer play a seat, or ends that, by the host's token. */
  async #give(seat: Seat, level: ComputerLevel | null): Promise<void> {
    const host = this.#host;
    await this.#work(async () => {
      if (level === null) await host?.takeSeatBack({ seat });
      else await host?.seatComputer(level, { seat });
    });
  }

  /** Makes a new link to a seat, by the host's token; who sat there by another one sits there no more. */
  async #invite(seat: Seat): Promise<void> {
    const host = this.#host;
    if (host === undefined) return;
    await this.#work(async () => this.#keeper.setInvitation(seat, await host.renewToken({ seat })));
  }

  #ownSeat(computer: ComputerLevel | null): OwnSeat {
    const change = (act: () => Promise<unknown>) => () => this.#work(async () => void (await act()));
    return {
      computer,
      leave: change(() => this.#game.seatComputer("medium")),
      back: change(() => this.#game.takeSeatBack()),
      resign: change(() => this.#game.resign()),
    };
  }

  #waitsUntil(): Date | undefined {
    const { changed_at: changed, expires_at: expires } = this.#game.state;
    const isShort = Date.parse(expires) - Date.parse(changed) <= WAITING;
    return isShort ? undefined : new Date(Date.now() + timeUntil(expires));
  }

  #canDeal(): boolean {
    const { phase } = this.#game.state;
    const due = phase === "to_deal" || phase === "deal_over";
    return due && (this.#game.isMyDeal || this.#host !== undefined);
  }

  async #work(work: () => Promise<void>): Promise<void> {
    this.#busy = true;
    this.#verdict = undefined;
    this.#changed();
    try {
      await work();
    } finally {
      this.#busy = false;
      this.#changed();
    }
  }

  /** Tells what happened; a trick that was taken can be looked at before it is put away. */
  async #tell(state: LiveGame, events: readonly GameEvent[]): Promise<void> {
    this.#text = () => describeAll(events, (seat) => this.#name(seat, namePlayer));
    this.#hints = undefined;
    const last = state.last_trick;
    if (last === null || !events.some(({ type }) => type === "trick_taken")) return;
    this.#trick = { cards: last.cards, winner: last.winner, taken: true };
    this.#changed();
    await this.#pause.take(LOOKING);
  }

  async #show(state: LiveGame): Promise<void> {
    const position = state.position ?? undefined;
    this.#position = position;
    this.#analyzed = undefined;
    this.#trick = position === undefined ? trickFrom(0, [], 1) : trickOf(position);
    const over = position !== undefined && position.phase !== "playing";
    this.#proof = over ? await this.#witness.prove(this.#client, state, position) : undefined;
    this.#scores = over ? await countDeal(this.#client, position) : undefined;
    this.#changed();
  }
}
