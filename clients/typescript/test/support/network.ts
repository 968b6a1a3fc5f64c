import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A mishap of a bad network in one exchange. */
export type Mishap =
  | "lose_request"
  | "lose_answer"
  | "cut_answer"
  | "delay"
  | "gateway"
  | "cut_stream"
  | "freeze_stream"
  | "hold_stream"
  | "refuse_stream";

/** The share of exchanges with each mishap, of all exchanges that can have it. */
export type Chances = Readonly<Partial<Record<Mishap, number>>>;

const CALLS: readonly Mishap[] = ["lose_request", "lose_answer", "cut_answer", "delay", "gateway"];
const STREAMS: readonly Mishap[] = [
  "lose_request",
  "gateway",
  "cut_stream",
  "freeze_stream",
  "hold_stream",
  "refuse_stream",
];

/** A network as bad as it gets: of a hundred calls twenty-four go wrong, and most streams end after a few changes. */
export const BAD: Chances = {
  lose_request: 0.06,
  lose_answer: 0.06,
  cut_answer: 0.04,
  gateway: 0.03,
  delay: 0.05,
  cut_stream: 0.6,
  freeze_stream: 0.2,
};

/** A network that loses as much, and whose proxy opens a stream at once, but holds back its messages for ever. */
export const HELD: Chances = { ...BAD, cut_stream: 0, freeze_stream: 0, hold_stream: 1 };
/** A network that loses as much, and lets no stream begin. */
export const REFUSED: Chances = { ...HELD, hold_stream: 0, refuse_stream: 1 };

/** The answer of the service when the stream limit is reached. */
const REFUSAL = JSON.stringify({ code: "too_many_streams", title: "Too many", detail: "No.", status: 503 });

/** Draws numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A proxy that loses, delays and cuts what passes through it, as a bad network does. */
export class BadNetwork implements AsyncDisposable {
  readonly counts: Record<Mishap, number> = {
    lose_request: 0,
    lose_answer: 0,
    cut_answer: 0,
    delay: 0,
    gateway: 0,
    cut_stream: 0,
    freeze_stream: 0,
    hold_stream: 0,
    refuse_stream: 0,
  };
  /** Times that a page of changes was asked for. */
  polls = 0;
  readonly #chances: Chances;
  readonly #server: Server;
  readonly #target: string;
  readonly #random: () => number;

  private constructor(target: string, chances: Chances, seed: number) {
    this.#target = target;
    this.#chances = chances;
    this.#random = seeded(seed);
    this.#server = createServer((from, to) => this.#pass(from, to));
  }

  /** Listens on a port of its own, in front of a service. */
  static async start(target: string, chances: Chances, seed = 1): Promise<BadNetwork> {
    const proxy = new BadNetwork(target, chances, seed);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #draw(possible: readonly Mishap[]): Mishap | undefined {
    let left = this.#random();
    for (const mishap of possible) {
      left -= this.#chances[mishap] ?? 0;
      if (left < 0) {
        this.counts[mishap] += 1;
        return mishap;
      }
    }
    return undefined;
  }

  #pass(from: IncomingMessage, to: ServerResponse): void {
    if (from.url?.includes("/changes")) this.polls += 1;
    const streams = from.headers.accept === "text/event-stream";
    const mishap = this.#draw(streams ? STREAMS : CALLS);
    if (mishap === "lose_request") from.destroy();
    else if (mishap === "gateway") to.writeHead(502, { "Content-Type": "text/html" }).end("<h1>502 Bad Gateway</h1>");
    else if (mishap === "refuse_stream")
      to.writeHead(503, { "Content-Type": "application/problem+json", "Retry-After": "1" }).end(REFUSAL);
    else if (mishap === "delay") setTimeout(() => this.#forward(from, to, undefined), 50 + 250 * this.#random());
    else this.#forward(from, to, mishap);
  }

  #forward(from: IncomingMessage, to: ServerResponse, mishap: Mishap | undefined): void {
    const { method, headers } = from;
    const onward = request(new URL(from.url ?? "/", this.#target), { method, headers }, (answer) => {
      if (mishap === "lose_answer") answer.resume().once("end", () => to.destroy());
      else this.#answer(answer, to, mishap);
    });
    onward.once("error", () => to.destroy());
    to.once("close", () => onward.destroy());
    from.pipe(onward);
  }

  #answer(answer: IncomingMessage, to: ServerResponse, mishap: Mishap | undefined): void {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    if (mishap === undefined) {
      to.flushHeaders();
      answer.pipe(to);
    } else if (mishap === "cut_answer") {
      answer.once("data", (chunk: Buffer) => to.write(chunk.subarray(0, chunk.length / 2), () => to.destroy()));
    } else if (mishap === "hold_stream") {
      to.flushHeaders();
      answer.resume();
    } else {
      this.#harm(answer, to, mishap);
    }
  }

  /** Passes on a few chunks of a stream, then half of one; what comes after that is cut off, or never comes. */
  #harm(answer: IncomingMessage, to: ServerResponse, mishap: Mishap): void {
    let left = Math.floor(12 * this.#random());
    to.flushHeaders();
    answer.on("data", (chunk: Buffer) => {
      left -= 1;
      if (left >= 0) to.write(chunk);
      else if (left === -1)
        to.write(chunk.subarray(0, chunk.length / 2), () => mishap === "cut_stream" && to.destroy());
    });
    answer.once("end", () => to.end());
  }
}
