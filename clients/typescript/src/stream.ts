import { createParser } from "eventsource-parser";
import { ConnectionError } from "./problems.ts";
import type { ChangePage } from "./schema.ts";

/** A message that shows a game, a change of it, or the seats that are present, or says that the game is gone. */
export type Message =
  | ChangePage["messages"][number]
  | { event: "presence"; data: Pick<ChangePage, "present"> }
  | { event: "gone" };

/** The events of the stream that mean something here; a service that is newer may send others. */
const KNOWN: readonly string[] = ["game", "change", "presence", "gone"];

/** One connection to an event stream, which is cut when nothing has come for too long. */
export class Connection {
  readonly #cut = new AbortController();
  readonly #signal: AbortSignal;
  readonly #silence: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param silence Milliseconds without a sign of life after which the stream is dead. */
  constructor(silence: number, signal: AbortSignal) {
    this.#silence = silence;
    this.#signal = AbortSignal.any([signal, this.#cut.signal]);
  }

  /** Reads a stream: for each sign of life the messages that came with it, if any. */
  async *read(
    connect: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
    onRetry: (milliseconds: number) => void,
  ): AsyncGenerator<Message[], void> {
    const messages: Message[] = [];
    const parser = createParser({
      onEvent: ({ event = "", id, data }) => {
        if (KNOWN.includes(event)) messages.push({ event, id, data: JSON.parse(data) } as Message);
      },
      onRetry,
    });
    const decoder = new TextDecoder();
    const reader = (await this.#watch(connect(this.#signal))).getReader();
    this.#signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined));
    for (;;) {
      const { done, value } = await this.#watch(reader.read());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield messages.splice(0);
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
