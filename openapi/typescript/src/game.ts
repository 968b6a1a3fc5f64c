/// <reference lib="esnext.disposable" preserve="true" />
import type { Client } from "./client.ts";
import { fold } from "./fold.ts";
import { type Answer, isProblem, settle, unwrap } from "./problems.ts";
import type {
  Card,
  Change,
  GameEvent,
  GameRecord,
  Level,
  LiveGame,
  NewDeal,
  NewGameOfPlayers,
  NewGameOfSides,
  OpenedGame,
  Seat,
} from "./schema.ts";
import { follow } from "./stream.ts";

/** Lets a call be given up. */
export interface CallOptions {
  /** The call is given up when it aborts, and throws its reason. */
  signal?: AbortSignal | null | undefined;
}

/** A call for a seat. */
export interface SeatOptions extends CallOptions {
  /** The seat: by default that of this bearer; the host names it. */
  seat?: Seat;
}

/** What it takes to be at a game: its id and, unless one only looks on, a token. It can be sent as a link. */
export interface Invitation {
  /** The id of the game. */
  id: string;
  /** The token of a seat, or of the host; spectators have none. */
  token?: string | undefined;
}

/** How a game is followed. */
export interface FollowOptions extends CallOptions {
  /** Called with true whenever the stream is connected, and with false whenever it is lost and connected again. */
  onConnection?: (connected: boolean) => void;
  /** Milliseconds without a sign of life after which the stream is taken for dead. By default 20,000. */
  silence?: number | undefined;
}

/** A step of a game that is followed. */
export interface GameUpdate {
  /** The game after it. */
  readonly state: LiveGame;
  /** What happened, in order. */
  readonly events: readonly GameEvent[];
  /**
   * True if the whole game is shown anew: for the first update, and when the store has lost changes that were shown.
   * Nothing leads from what was shown before to this.
   */
  readonly whole: boolean;
}

/** A game at one of its versions, as its ETag names it. */
interface Known {
  readonly tag: string;
  readonly state: LiveGame;
}

/** Milliseconds: a heartbeat comes every 15 seconds at the latest. */
const SILENCE = 20_000;
/** Times that a change is made on a newer version, if others keep coming before it that do not concern it. */
const REBASES = 10;

/**
 * Opens a game, and returns its id and its tokens, which the service shows only this once.
 *
 * @param body The rules, and the players or the sides.
 * @param options.idempotencyKey A text that nobody can guess: the same key opens the same game. By default a new one.
 *
 * @example
 * const { id, tokens, host_token } = await openGame(client, { rules: "trebor", players: 4 });
 */
export function openGame(
  client: Client,
  body: NewGameOfPlayers | NewGameOfSides,
  { idempotencyKey = newKey(), signal = null }: CallOptions & { idempotencyKey?: string } = {},
): Promise<OpenedGame> {
  const params = { header: { "Idempotency-Key": idempotencyKey } };
  return unwrap(client.POST("/v1/games", { params, body, signal }));
}

/**
 * Joins a game: at a seat, as its host, or as a spectator, as the token says.
 *
 * @throws {ProblemError} `not_found` if there is no such game; `unknown_token` if the token is not of this game.
 *
 * @example
 * const game = await joinGame(client, { id, token });
 * for await (const { state, events } of game.changes()) draw(state, events);
 */
export async function joinGame(client: Client, invitation: Invitation, options: CallOptions = {}): Promise<Game> {
  const call = client.GET("/v1/games/{game_id}", makeInit(invitation, options));
  return new Game(client, invitation, toKnown(await settle(call)));
}

/**
 * A live game, as one bearer of a token has it.
 *
 * Its `state` is what was last heard of the game; it is replaced, never changed, with the answer to each call and, while
 * `changes` is followed, with each change that others make.
 */
export class Game {
  readonly #client: Client;
  readonly #closed = new AbortController();
  #invitation: Invitation;
  #known: Known;
  /** Counts the pasts of the game: an answer that began in another one says nothing about this. */
  #past = 0;
  /** Ends when no token is being renewed. */
  #renewal: Promise<void> = Promise.resolve();

  /** Use `joinGame`. */
  constructor(client: Client, invitation: Invitation, known: Known) {
    this.#client = client;
    this.#invitation = invitation;
    this.#known = known;
  }

  /** The id of the game. */
  get id(): string {
    return this.#invitation.id;
  }

  /** The token with which calls are made, to be kept for coming back; undefined for a spectator. */
  get token(): string | undefined {
    return this.#invitation.token;
  }

  /** The game as it was last heard of, as this bearer may see it. */
  get state(): LiveGame {
    return this.#known.state;
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
  play(card: Card, options: CallOptions = {}): Promise<Change> {
    return this.#change(
      (init) => this.#client.POST("/v1/games/{game_id}/plays", { ...init, body: { card } }),
      options,
      isSamePosition,
    );
  }

  /** Deals the next deal. Needs the token of the dealer, who is `state.dealer`, or of the host. */
  deal({ signal, ...body }: NewDeal & CallOptions = {}): Promise<Change> {
    return this.#change((init) => this.#client.POST("/v1/games/{game_id}/deals", { ...init, body }), { signal });
  }

  /** Resigns, so that every other side wins. The host names the seat that is gone. */
  resign({ signal, ...body }: SeatOptions = {}): Promise<Change> {
    const resign = (init: ChangeInit) => this.#client.POST("/v1/games/{game_id}/resignations", { ...init, body });
    return this.#change(resign, { signal });
  }

  /**
   * Adds to the next shuffle, so that the service alone cannot choose the cards.
   *
   * @param entropy A text of one's own, of letters, digits and `._~-`. By default one that is drawn here.
   */
  addEntropy(entropy: string = newKey(), options: CallOptions = {}): Promise<Change> {
    const body = { entropy };
    return this.#change((init) => this.#client.POST("/v1/games/{game_id}/entropy", { ...init, body }), options);
  }

  /**
   * Replaces the token of a seat, and returns the new one; the old one is void at once, and this game goes on with the
   * new one. So an invited player makes the seat their own. The host names the seat whose token was lost.
   */
  async renewToken(options: SeatOptions = {}): Promise<string> {
    const renewal = this.#renew(options);
    this.#renewal = renewal.then(ignore, ignore);
    return renewal;
  }

  /** Lets the computer play the seat from now on. The host names the seat. */
  async seatComputer(level: Level, options: SeatOptions = {}): Promise<LiveGame> {
    const init = { ...this.#seatInit(options), body: { level } };
    return this.#see(this.#client.PUT("/v1/games/{game_id}/seats/{seat}/computer", init));
  }

  /** Takes the seat back from the computer. The host names the seat. */
  async takeSeatBack(options: SeatOptions = {}): Promise<LiveGame> {
    return this.#see(this.#client.DELETE("/v1/games/{game_id}/seats/{seat}/computer", this.#seatInit(options)));
  }

  /** Reads the whole game again; who follows `changes` need not. */
  refresh(options: CallOptions = {}): Promise<LiveGame> {
    return this.#see(this.#client.GET("/v1/games/{game_id}", this.#init(options)));
  }

  /** Returns the record of all deals that are over, with the proofs of their shuffles. */
  record(options: CallOptions = {}): Promise<GameRecord> {
    return unwrap(this.#client.GET("/v1/games/{game_id}/record", this.#init(options)));
  }

  /** Deletes the game for everybody. Needs the host's token. */
  async delete(options: CallOptions = {}): Promise<void> {
    try {
      await unwrap(this.#client.DELETE("/v1/games/{game_id}", this.#init(options)));
    } catch (error) {
      // Where the first answer was lost, the second says that the game is gone.
      if (!isProblem(error, "not_found")) throw error;
    }
  }

  /**
   * Follows the game: the game as it is, then each change that anybody makes, none twice and none left out.
   *
   * A stream that is lost or dead is connected again where it was lost, for as long as it takes. The loop ends when the
   * game is over or closed. Each loop has a stream of its own.
   *
   * @throws {ProblemError} `not_found` if the game was deleted or has expired; `unknown_token` if the token was renewed
   * elsewhere.
   *
   * @example
   * for await (const { state, events } of game.changes({ signal })) {
   *   for (const event of events) await animate(event);
   *   draw(state);
   * }
   */
  async *changes(options: FollowOptions = {}): AsyncGenerator<GameUpdate, void, void> {
    const { silence = SILENCE, onConnection = () => undefined } = options;
    const signal = this.#signal(options);
    try {
      signal.throwIfAborted();
      let known = this.#known;
      yield { state: known.state, events: [], whole: true };
      if (known.state.phase === "game_over") return;
      const connect = (lastEventId: string, alive: AbortSignal) => this.#connect(lastEventId, alive);
      const messages = follow(connect, idOf(known.tag), { signal, silence, onConnection });
      for await (const { event, id = "", data } of messages) {
        if (event === "gone") await this.refresh({ signal });
        if (event !== "game" && event !== "change") continue;
        const whole = event === "game";
        const message = JSON.parse(data) as LiveGame & Change;
        known = { tag: `"${id}"`, state: whole ? message : fold(known.state, message) };
        if (whole) this.#restart(known);
        else this.#note(known);
        yield { state: known.state, events: whole ? [] : message.events, whole };
        if (known.state.phase === "game_over") return;
      }
    } catch (error) {
      if (!this.#closed.signal.aborted || options.signal?.aborted) throw error;
    }
  }

  /** Ends all that runs for this game here: calls are given up, loops over `changes` end. The game itself goes on. */
  close(): void {
    this.#closed.abort();
  }

  /** Closes the game at the end of a block that declares it with `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Makes a change of the version that was last heard of, and takes it into `state`. If others came before it, it is
   * made of the newer version, where that is allowed.
   */
  async #change(call: (init: ChangeInit) => Promise<Answer<Change>>, options: CallOptions, isAllowed = always) {
    for (let rebases = 0; ; rebases += 1) {
      const { state, tag } = this.#known;
      const past = this.#past;
      const init = this.#init(options);
      const params = { ...init.params, header: { "If-Match": tag } };
      try {
        const { data, response } = await settle(call({ ...init, params }));
        this.#note({ tag: tagOf(response), state: fold(state, data) }, past);
        return data;
      } catch (error) {
        if (!isProblem(error, "stale_version") || rebases === REBASES) throw error;
        await this.refresh(options);
        if (!isAllowed(state, this.state)) throw error;
      }
    }
  }

  /** Takes in the whole game, as a call answers it. */
  async #see(call: Promise<Answer<LiveGame>>): Promise<LiveGame> {
    const before = this.#known;
    const past = this.#past;
    const known = toKnown(await settle(call));
    if (this.#known === before) this.#known = known;
    else this.#note(known, past);
    return this.state;
  }

  async #renew(options: SeatOptions): Promise<string> {
    const init = this.#seatInit(options);
    const params = { ...init.params, header: { "Idempotency-Key": newKey() } };
    const call = this.#client.POST("/v1/games/{game_id}/seats/{seat}/tokens", { ...init, params });
    const { seat, token } = await unwrap(call);
    if (seat === this.seat) this.#invitation = { id: this.id, token };
    await this.refresh(options);
    return token;
  }

  /** Connects to the stream, with the token that holds now. */
  async #connect(lastEventId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    await this.#renewal;
    const init = makeInit(this.#invitation, { signal });
    const params = { ...init.params, header: { "Last-Event-ID": lastEventId } };
    const headers = { ...init.headers, Accept: "text/event-stream" };
    const call = this.#client.GET("/v1/games/{game_id}/events", { ...init, params, headers, parseAs: "stream" });
    return (await unwrap(call)) as ReadableStream<Uint8Array>;
  }

  /** Takes in what was heard of the game, unless something newer was, or the past of which it tells is lost. */
  #note(known: Known, past: number = this.#past): void {
    const ahead = known.state.version - this.state.version;
    if (past === this.#past && (ahead > 0 || (ahead === 0 && known.tag !== this.#known.tag))) this.#known = known;
  }

  /** Takes the game as it is now in place of a past that the store has lost. */
  #restart(known: Known): void {
    this.#past += 1;
    this.#known = known;
  }

  /** Tells whether a person at this bearer's seat is the one who is to do something. */
  #isMine(seat: Seat | null | undefined): boolean {
    return this.seat !== null && this.seat === seat && this.state.computers[this.seat] === null;
  }

  #init(options: CallOptions) {
    return makeInit(this.#invitation, { signal: this.#signal(options) });
  }

  #seatInit({ seat = this.seat ?? undefined, signal }: SeatOptions) {
    if (seat === undefined) throw new TypeError("Who has no seat names the seat.");
    return { ...this.#init({ signal }), params: { path: { game_id: this.id, seat } } };
  }

  #signal({ signal }: CallOptions): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
  }
}

type ChangeInit = ReturnType<typeof makeInit> & { params: { header: { "If-Match": string } } };

/** Makes what every call on a game needs: its id, the token, the signal. */
function makeInit({ id, token }: Invitation, { signal }: CallOptions) {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return { params: { path: { game_id: id } }, headers, signal: signal ?? null };
}

/** Reads which version of the game an answer shows. */
function toKnown({ data, response }: { data: LiveGame; response: Response }): Known {
  return { tag: tagOf(response), state: data };
}

const ignore = (): void => undefined;
const always = (_seen: LiveGame, _now: LiveGame): boolean => true;

function isSamePosition(one: LiveGame, other: LiveGame): boolean {
  return one.phase === other.phase && JSON.stringify(one.position?.state) === JSON.stringify(other.position?.state);
}

/** Returns the entity tag that names a version, quotes included. */
function tagOf(response: Response): string {
  return response.headers.get("ETag") ?? "";
}

/** Returns the id of the event that shows a version. */
function idOf(tag: string): string {
  return tag.replace(/^W\/|"/g, "");
}

/** Draws 128 bits as a text; also where a page is not served by HTTPS, and has no `crypto.randomUUID`. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
