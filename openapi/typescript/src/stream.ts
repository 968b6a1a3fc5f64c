import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ConnectionError, ProblemError } from "./problems.ts";
import { backoff, sleep } from "./retry.ts";

/** A connection to an event stream, from the event after the one that was seen last. */
export type Connect = (lastEventId: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/** How a stream is followed. */
export interface FollowOptions {
  signal: AbortSignal;
  /** Milliseconds without a sign of life after which the stream is dead. */
  silence: number;
  /** Gets true whenever the stream is connected, and false whenever it is lost. */
  onConnection: (connected: boolean) => void;
}

/** Milliseconds after which a lost stream is connected again, unless it has said otherwise. */
const RETRY = 1000;

/**
 * Follows an event stream through all its connections, each of which goes on where the last was lost.
 *
 * @throws The reason of the signal; ProblemError, if the service refuses the stream for good.
 */
export async function* follow(
  connect: Connect,
  lastEventId: string,
  { signal, silence, onConnection }: FollowOptions,
): AsyncGenerator<EventSourceMessage, never> {
  let seen = lastEventId;
  let retry = RETRY;
  for (let failures = 0; ; failures += 1) {
    let wait = 0;
    const connection = new Connection(silence, signal);
    try {
      const body = await connection.open((alive) => connect(seen, alive));
      queueMicrotask(() => onConnection(true));
      for await (const message of connection.read(body, (milliseconds) => {
        retry = milliseconds;
      })) {
        failures = 0;
        seen = message.id ?? seen;
        yield message;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProblemError && !isPassing(error)) throw error;
      wait = error instanceof ProblemError ? 1000 * (error.retryAfter ?? 0) : 0;
    } finally {
      connection.close();
    }
    queueMicrotask(() => onConnection(false));
    await sleep(Math.max(wait, backoff(failures, retry)), signal);
  }
}

/** Tells whether what the service refuses now may be granted later. */
function isPassing({ problem: { status } }: ProblemError): boolean {
  return status >= 500 || status === 408 || status === 429;
}

/** One connection, which is cut when nothing has come for too long. */
class Connection {
  readonly #cut = new AbortController();
  readonly #signal: AbortSignal;
  readonly #silence: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(silence: number, signal: AbortSignal) {
    this.#silence = silence;
    this.#signal = AbortSignal.any([signal, this.#cut.signal]);
  }

  async open<T>(connect: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#watch(connect(this.#signal));
  }

  async *read(body: ReadableStream<Uint8Array>, onRetry: (milliseconds: number) => void) {
    const messages: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => messages.push(message), onRetry });
    const decoder = new TextDecoder();
    const reader = body.getReader();
    this.#signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined));
    for (;;) {
      const { done, value } = await this.#watch(reader.read());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* messages.splice(0);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#cut.abort();
  }

  /** Waits for something that is a sign of life, and cuts the connection if it does not come. */
  async #watch<T>(sign: Promise<T>): Promise<T> {
    const dead = new ConnectionError("The event stream gives no sign of life.");
    this.#timer = setTimeout(() => this.#cut.abort(dead), this.#silence);
    try {
      return await sign;
    } finally {
      clearTimeout(this.#timer);
    }
  }
}
