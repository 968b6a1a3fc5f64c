/// <reference lib="esnext.disposable" preserve="true" />
import { Bearer, type Init, makeInit } from "./bearer.ts";
import type { Client } from "./client.ts";
import { fold } from "./fold.ts";
import { follow, type Source } from "./follow.ts";
import { newKey } from "./key.ts";
import type { CallOptions, FollowOptions, GameUpdate, Invitation, RenewOptions, SeatOptions } from "./options.ts";
import { playsAfter } from "./plays.ts";
import { type Answer, isProblem, unwrap } from "./problems.ts";
import { ignore } from "./retry.ts";
import type { Card, ComputerLevel, DealSetup, GameChange, GameRecord, LiveGame, Seat } from "./schema.ts";
import { type Moment, Sight } from "./sight.ts";

/** Milliseconds: a heartbeat comes every 15 seconds at the latest. */
const SILENCE = 20_000;
/** Times that a change is made on a newer version, if others keep coming before it that do not concern it. */
const REBASES = 10;

/**
 * A live game, as one bearer of a token has it.
 *
 * Its `state` is the game as last heard of; it is replaced, never changed, with the answer to each call and, while
 * `changes` is followed, with each change that others make.
 */
export class Game {
  readonly #client: Client;
  readonly #bearer: Bearer;
  readonly #sight: Sight;

  private constructor(client: Client, invitation: Invitation, state: LiveGame) {
    this.#client = client;
    this.#bearer = new Bearer(client, invitation);
    this.#sight = new Sight(state);
  }

  /** Use `joinGame`. */
  static async join(client: Client, invitation: Invitation, options: CallOptions): Promise<Game> {
    const call = client.GET("/v1/games/{game_id}", makeInit(invitation, options));
    return new Game(client, invitation, await unwrap(call));
  }

  /** The id of the game. */
  get id(): string {
    return this.#bearer.id;
  }

  /** The token with which calls are made, to be kept for coming back; undefined for a spectator. */
  get token(): string | undefined {
    return this.#bearer.token;
  }

  /** The game as it was last heard of, as this bearer may see it. */
  get state(): LiveGame {
    return this.#sight.state;
  }

  /** The seat of this bearer; null for the host and for spectators. */
  get seat(): Seat | null {
    return this.state.seat;
  }

  /** True if this bearer is to play a card; false while the computer plays the seat. */
  get isMyTurn(): boolean {
    return this.#isMine(this.state.position?.turn);
  }

  /** True if this bearer is to deal; false while the computer plays the seat. */
  get isMyDeal(): boolean {
    const { phase, dealer } = this.state;
    return this.#isMine(dealer) && (phase === "to_deal" || phase === "deal_over");
  }

  /** The cards in this bearer's hand. */
  get hand(): readonly Card[] {
    const hand = this.seat === null ? undefined : this.state.position?.state.hands[this.seat];
    return Array.isArray(hand) ? hand : [];
  }

  /** The cards that this bearer may play now; none if it is another's turn. */
  get legalCards(): readonly Card[] {
    return (this.isMyTurn && this.state.position?.legal_cards) || [];
  }

  /**
   * Plays a card. If the answer is lost, the same play is sent again, and is made only once.
   *
   * @throws {ProblemError} `illegal_play` with the verdict; `not_your_turn`; `stale_version` if the game is not as it was
   * seen: `state` shows it as it is.
   */
  play(card: Card, options: CallOptions = {}): Promise<GameChange> {
    return this.#change(
      (init) => this.#client.POST("/v1/games/{game_id}/plays", { ...init, body: { card } }),
      options,
      isSamePosition,
    );
  }

  /** Deals the next deal. Needs the token of the dealer, who is `state.dealer`, or of the host; the first, once all seats have names, that of any seat. */
  deal({ signal, ...body }: DealSetup & CallOptions = {}): Promise<GameChange> {
    return this.#change((init) => this.#client.POST("/v1/games/{game_id}/deals", { ...init, body }), { signal });
  }

  /**
   * Changes who sits where before the first deal, and so who are partners; each player keeps the token.
   *
   * @param seats By seat: where its player sits now. By default cards are drawn: `state.seating` has them, and their proof.
   */
  changeSeats(seats?: readonly Seat[], options: CallOptions = {}): Promise<LiveGame> {
    return this.#rebase(options, isSameSeating, (_seen, header) => {
      const init = this.#bearer.init(options);
      const body = { seats: seats ? [...seats] : null };
      const params = { ...init.params, header };
      return this.#see(this.#client.POST("/v1/games/{game_id}/seatings", { ...init, params, body }));
    });
  }

  /** Resigns, so that every other side wins. The host names the seat that is gone. */
  resign({ signal, ...body }: SeatOptions = {}): Promise<GameChange> {
    const resign = (init: ChangeInit) => this.#client.POST("/v1/games/{game_id}/resignations", { ...init, body });
    return this.#change(resign, { signal });
  }

  /**
   * Asks to take back the last card of this seat, or agrees to what another seat has asked: `state.take_back_asked`. It is
   * taken back once all seats of people agree.
   *
   * @throws {ProblemError} `cannot_take_back`, if there is nothing to take back.
   */
  takeBack(options: CallOptions = {}): Promise<GameChange> {
    const ask = (init: ChangeInit) => this.#client.POST("/v1/games/{game_id}/take-backs", init);
    return this.#change(ask, options, isSamePosition);
  }

  /**
   * Adds to the next shuffle, so that the service alone cannot choose the cards.
   *
   * @param entropy A text of one's own, of letters, digits and `._~-`. By default one that is drawn here.
   */
  async addEntropy(entropy: string = newKey(), options: CallOptions = {}): Promise<LiveGame> {
    const body = { entropy };
    await unwrap(this.#client.POST("/v1/games/{game_id}/entropy", { ...this.#bearer.init(options), body }));
    return this.refresh(options);
  }

  /**
   * Replaces the token of a seat, and returns the new one; the old one is void at once, and this game goes on with the
   * new one. So an invited player makes the seat their own, under a name if they like. The host names the seat whose
   * token was lost. If the answer is lost, the next call gets the same token.
   */
  async renewToken(options: RenewOptions = {}): Promise<string> {
    const token = await this.#bearer.renewToken(this.seat, options);
    await this.refresh(options).catch(ignore); // the token is here, and nobody else has it
    return token;
  }

  /**
   * Lets the computer play the seat from now on. The host names the seat; another player may name one that is away, which
   * the computer then plays at `medium`.
   *
   * @throws {ProblemError} `not_away`, for a seat whose player is there or left less than two minutes ago.
   */
  seatComputer(level: ComputerLevel, options: SeatOptions = {}): Promise<GameChange> {
    const body = { level };
    return this.#changePlayer(level, options, (init) =>
      this.#client.PUT("/v1/games/{game_id}/seats/{seat}/computer", { ...init, body }),
    );
  }

  /** Takes the seat back from the computer. The host names the seat. */
  takeSeatBack(options: SeatOptions = {}): Promise<GameChange> {
    return this.#changePlayer(null, options, (init) =>
      this.#client.DELETE("/v1/games/{game_id}/seats/{seat}/computer", init),
    );
  }

  /**
   * Opens the next game for the same people, once this one is over, and returns it. Any player or the host may; calling
   * it again returns the same game.
   *
   * @throws {ProblemError} `game_not_over`.
   */
  async openRematch(options: CallOptions = {}): Promise<Game> {
    const { id } = await unwrap(this.#client.POST("/v1/games/{game_id}/rematches", this.#bearer.init(options)));
    return Game.join(this.#client, { id, token: this.token }, options);
  }

  /**
   * Waits until somebody opens the next game, and returns it: at the same seat, with the same token. One that is gone by
   * now is not the next: another one can be opened.
   *
   * @throws {ProblemError} `game_gone` if this game expires before that.
   */
  async awaitRematch(options: FollowOptions = {}): Promise<Game> {
    let gone: string | null = null;
    for await (const { state } of this.#follow(options, ({ rematch }) => rematch !== gone)) {
      const { rematch: id } = state;
      if (id === null || id === gone) continue;
      try {
        return await Game.join(this.#client, { id, token: this.token }, options);
      } catch (error) {
        if (!isProblem(error, "game_gone", "no_such_game")) throw error;
        gone = id;
      }
    }
    throw this.#bearer.closed.reason;
  }

  /** Reads the whole game again; there is no need for it while `changes` is followed. */
  refresh(options: CallOptions = {}): Promise<LiveGame> {
    return this.#see(this.#client.GET("/v1/games/{game_id}", this.#bearer.init(options)));
  }

  /** Returns the record of all deals that are over, with the proofs of their shuffles. */
  record(options: CallOptions = {}): Promise<GameRecord> {
    return unwrap(this.#client.GET("/v1/games/{game_id}/record", this.#bearer.init(options)));
  }

  /** Deletes the game for everybody. Needs the host's token. */
  async delete(options: CallOptions = {}): Promise<void> {
    try {
      await unwrap(this.#client.DELETE("/v1/games/{game_id}", this.#bearer.init(options)));
    } catch (error) {
      // Where the first answer was lost, the second says that the game is gone.
      if (!isProblem(error, "game_gone", "no_such_game")) throw error;
    }
  }

  /**
   * Follows the game: the game as it is, then each change that anybody makes, none twice and none left out.
   *
   * A stream that is lost or dead is connected again where it was lost, for as long as it takes; while none lives, the
   * changes are asked for now and then. The loop ends when the game is over or closed. Each loop has a stream of its own.
   *
   * @throws {ProblemError} `game_gone` if the game was deleted or has expired; `unknown_token` if the token was renewed
   * elsewhere.
   *
   * @example
   * for await (const { state, events } of game.changes({ signal })) {
   *   for (const event of events) await animate(event);
   *   draw(state);
   * }
   */
  changes(options: FollowOptions = {}): AsyncGenerator<GameUpdate, void, void> {
    return this.#follow(options, ({ phase }) => phase === "game_over");
  }

  /** Ends all that runs for this game here: calls are given up, loops over `changes` end. The game itself goes on. */
  close(): void {
    this.#bearer.close();
  }

  /** Closes the game at the end of a block that declares it with `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Follows the game up to the first state that is the last to be shown. */
  async *#follow(options: FollowOptions, isLast: (state: LiveGame) => boolean): AsyncGenerator<GameUpdate, void, void> {
    const { silence = SILENCE, onConnection = ignore, onPresence = ignore } = options;
    const signal = this.#bearer.signal(options);
    try {
      signal.throwIfAborted();
      let { state } = this.#sight;
      let plays = playsAfter(undefined, { state, events: [], whole: true });
      yield { state, events: [], whole: true, plays };
      if (isLast(state)) return;
      for await (const message of follow(this.#source, state.version, { signal, silence, onConnection })) {
        if (message.event === "gone") await this.refresh({ signal });
        else {
          const before = state;
          state = this.#sight.take(state, message);
          if (message.event === "presence") {
            if (state !== before) onPresence(message.data.present);
            continue;
          }
          const events = message.event === "change" ? message.data.events : [];
          const whole = message.event === "game";
          plays = playsAfter(plays, { state, events, whole });
          yield { state, events, whole, plays };
          if (isLast(state)) return;
        }
      }
    } catch (error) {
      if (!this.#bearer.closed.aborted || options.signal?.aborted) throw error;
    }
  }

  get #source(): Source {
    return {
      connect: (seen, signal) => this.#bearer.connect(seen, signal),
      list: (seen, signal) => this.#bearer.list(seen, signal),
      heard: () => this.#sight.heard(),
    };
  }

  /** Makes a change of the version that was last heard of, and takes it into `state`. */
  #change(call: (init: ChangeInit) => Promise<Answer<GameChange>>, options: CallOptions, isAllowed = always) {
    return this.#rebase(options, isAllowed, async (seen, header) => {
      const init = this.#bearer.init(options);
      const change = await unwrap(call({ ...init, params: { ...init.params, header } }));
      this.#sight.note(fold(seen.state, change), seen);
      return change;
    });
  }

  /** Changes who plays a seat, unless somebody else has given it to another player since. */
  #changePlayer(
    level: ComputerLevel | null,
    options: SeatOptions,
    call: (init: SeatInit) => Promise<Answer<GameChange>>,
  ): Promise<GameChange> {
    const { seat = this.seat } = options;
    const isAllowed = (seen: LiveGame, now: LiveGame) =>
      seat !== null && [seen.seats[seat]?.computer, level].includes(now.seats[seat]?.computer);
    const ask = ({ params: { header } }: ChangeInit) => {
      const init = this.#bearer.seatInit(this.seat, options);
      return call({ ...init, params: { ...init.params, header } });
    };
    return this.#change(ask, options, isAllowed);
  }

  /** Does something on the version that was last heard of; if others came before it, on the newer one where that is allowed. */
  async #rebase<T>(
    options: CallOptions,
    isAllowed: (seen: LiveGame, now: LiveGame) => boolean,
    act: (seen: Moment, header: IfMatch) => Promise<T>,
  ): Promise<T> {
    for (let rebases = 0; ; rebases += 1) {
      const seen = this.#sight.mark();
      try {
        return await act(seen, { "If-Match": `"${seen.state.version}"` });
      } catch (error) {
        if (!isProblem(error, "stale_version") || rebases === REBASES) throw error;
        await this.refresh(options);
        if (!isAllowed(seen.state, this.state)) throw error;
      }
    }
  }

  /** Takes in the whole game, as a call answers it. */
  async #see(call: Promise<Answer<LiveGame>>): Promise<LiveGame> {
    const since = this.#sight.mark();
    this.#sight.see(await unwrap(call), since);
    return this.state;
  }

  /** Returns true if it is for a person at this bearer's seat to act. */
  #isMine(seat: Seat | null | undefined): boolean {
    return this.seat !== null && this.seat === seat && this.state.seats[this.seat]?.computer === null;
  }
}

type IfMatch = { "If-Match": string };
type ChangeInit = Init & { params: { header: IfMatch } };
type SeatInit = ReturnType<Bearer["seatInit"]> & { params: { header: IfMatch } };

const always = (_seen: LiveGame, _now: LiveGame): boolean => true;

function isSameSeating(one: LiveGame, other: LiveGame): boolean {
  return one.phase === other.phase && JSON.stringify(one.seating) === JSON.stringify(other.seating);
}

function isSamePosition(one: LiveGame, other: LiveGame): boolean {
  return one.phase === other.phase && JSON.stringify(one.position?.state) === JSON.stringify(other.position?.state);
}
