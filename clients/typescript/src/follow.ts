import { ConnectionError, ProblemError } from "./problems.ts";
import { backoff, ignore, sleep } from "./retry.ts";
import type { ChangePage } from "./schema.ts";
import { Connection, type Message } from "./stream.ts";

/** A source of the messages of a game. */
export interface Source {
  /** Connects to the event stream, from the message after the one that was seen last. */
  connect(seen: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Lists the messages after the one that was seen last, a page of them. */
  list(seen: string, signal: AbortSignal): Promise<ChangePage>;
  /** Resolves when something is heard of the game in another way, such as the answer to a call. */
  heard(): Promise<void>;
}

/** The options of following the messages. */
export interface Following {
  signal: AbortSignal;
  /** Milliseconds without a sign of life after which a stream is dead. */
  silence: number;
  /** Gets true whenever the messages come again, and false whenever they do not. */
  onConnection: (connected: boolean) => void;
}

/** A stream that is alive: what had been seen when it was asked for, what came of it so far, and what is to come. */
interface Live {
  since: string;
  connection: Connection;
  begun: Message[];
  rest: AsyncGenerator<Message[], void>;
}

/** Milliseconds after which a lost stream is connected again, unless it has said otherwise. */
const RETRY = 1000;
/** The most polls for messages, while no stream lives, in the time that a stream may be silent. */
const POLLS = 20;
/** The most times that the wait for the next page is doubled while there is nothing new. */
const DOUBLINGS = 2;

/**
 * Follows the messages of a game, none twice and none left out: by its event stream, through all its connections, and,
 * while none of them lives, by asking for a page of messages now and then.
 *
 * @throws The reason of the signal; ProblemError, if the service refuses for good.
 */
export async function* follow(source: Source, seen: string, how: Following): AsyncGenerator<Message, never> {
  const ended = new AbortController();
  const signal = AbortSignal.any([how.signal, ended.signal]);
  try {
    return yield* new Follower(source, seen, { ...how, signal }).follow();
  } finally {
    ended.abort();
  }
}

class Follower {
  readonly #source: Source;
  readonly #how: Following;
  #seen: string;
  #retry = RETRY;
  /** Connections in a row that gave no more than a beginning. */
  #failures = 0;
  /** True if the beginning of a stream proves nothing, because no more came of the last one. */
  #doubts = false;
  #connected: boolean | undefined;

  constructor(source: Source, seen: string, how: Following) {
    this.#source = source;
    this.#seen = seen;
    this.#how = how;
  }

  async *follow(): AsyncGenerator<Message, never> {
    for (let pause = 0; ; ) {
      const opened = this.#open(pause);
      opened.catch(ignore);
      yield* this.#poll(opened);
      const live = await opened;
      // What was learned by asking meanwhile would come a second time: such a stream is asked for anew, at once.
      const isCurrent = live.since === this.#seen;
      if (isCurrent) yield* this.#read(live);
      live.connection.close();
      pause = isCurrent ? this.#fail() : 0;
    }
  }

  /** Connects after a pause, and as often as it takes, until a stream lives. */
  async #open(pause: number): Promise<Live> {
    for (let wait = pause; ; ) {
      await sleep(wait, this.#how.signal);
      const since = this.#seen;
      const connection = new Connection(this.#how.silence, this.#how.signal);
      try {
        const rest = connection.read((signal) => this.#source.connect(since, signal), this.#setRetry);
        const begun = await this.#begin(rest);
        if (begun) return { since, connection, begun, rest };
        wait = this.#fail();
      } catch (error) {
        wait = this.#fail(error);
      }
      connection.close();
    }
  }

  readonly #setRetry = (milliseconds: number): void => {
    this.#retry = milliseconds;
  };

  /** Waits for the sign of life that proves a stream. Returns the messages so far; undefined if the stream ends first. */
  async #begin(stream: AsyncGenerator<Message[], void>): Promise<Message[] | undefined> {
    const begun = [];
    for (let signs = this.#doubts ? 2 : 1; signs > 0; signs -= 1) {
      const { done, value } = await stream.next();
      if (done) return undefined;
      begun.push(...value);
    }
    return begun;
  }

  /** Reads a stream to its end. */
  async *#read({ begun, rest }: Live): AsyncGenerator<Message, void> {
    this.#show(true);
    // Where there was doubt, a second sign of life has come.
    if (this.#doubts) this.#failures = 0;
    this.#doubts = !this.#doubts;
    try {
      yield* this.#see(begun);
      for await (const more of rest) {
        this.#failures = 0;
        this.#doubts = false;
        yield* this.#see(more);
      }
    } catch (error) {
      this.#how.signal.throwIfAborted();
      readWait(error);
    }
    this.#show(false);
  }

  /** Asks for the messages until a stream lives: the longer there is nothing new, the longer it waits. */
  async *#poll(opened: Promise<Live>): AsyncGenerator<Message, void> {
    const wait = (idle: number) => backoff(Math.min(idle, DOUBLINGS), this.#how.silence / POLLS);
    const isOpen = () => opened.then(() => undefined);
    for (let idle = 0, pause = wait(0); ; ) {
      if ((await Promise.race([isOpen(), this.#rest(pause)])) === undefined) return;
      const asked = new AbortController();
      const signal = AbortSignal.any([this.#how.signal, asked.signal]);
      try {
        const page = await Promise.race([isOpen(), this.#source.list(this.#seen, signal)]);
        if (page === undefined) return;
        this.#show(true);
        yield* this.#see([...page.messages, { event: "presence", data: page }]);
        idle = page.messages.length > 0 ? 0 : idle + 1;
        pause = page.more ? 0 : wait(idle);
      } catch (error) {
        idle += 1;
        pause = Math.max(readWait(error), wait(idle));
        this.#show(false);
      } finally {
        asked.abort();
      }
    }
  }

  /** Waits; what is heard of the game in another way ends it. */
  async #rest(milliseconds: number): Promise<true> {
    await Promise.race([sleep(milliseconds, this.#how.signal), this.#source.heard()]);
    return true;
  }

  *#see(messages: readonly Message[]): Generator<Message, void> {
    for (const message of messages) {
      if (message.event === "game" || message.event === "change") this.#seen = message.id;
      yield message;
    }
  }

  /** Counts a connection that was lost, and returns the milliseconds after which the next one is made. */
  #fail(error?: unknown): number {
    this.#how.signal.throwIfAborted();
    this.#failures += 1;
    return Math.max(readWait(error), backoff(this.#failures - 1, this.#retry));
  }

  #show(connected: boolean): void {
    if (connected === this.#connected) return;
    this.#connected = connected;
    queueMicrotask(() => this.#how.onConnection(connected));
  }
}

/** Returns the milliseconds that an error asks to wait; one that is for good is thrown. */
function readWait(error: unknown): number {
  if (error instanceof ProblemError) {
    const { status } = error.problem;
    if (status < 500 && status !== 408 && status !== 429) throw error;
  }
  const isAnswer = error instanceof ProblemError || error instanceof ConnectionError;
  return 1000 * ((isAnswer && error.retryAfter) || 0);
}
