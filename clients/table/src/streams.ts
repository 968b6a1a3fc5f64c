/** Event streams of one browser: of the six connections that it makes to a host, each window with a live game holds one. */

import { newKey } from "catch-the-ten";

/** Windows that hold a stream at once: the others, used longest ago, ask for changes now and then. */
const STREAMS = 4;

export type Fetch = (request: Request) => Promise<Response>;

/** Lets go of the stream of a window once as many others were used after it, until it is used again. */
export class StreamTurns {
  readonly #id = newKey();
  readonly #windows = new BroadcastChannel("catch-the-ten windows");
  /** The windows that were used after this one. */
  readonly #later = new Set<string>();
  #follows = false;
  #turn = new AbortController();
  #wake: () => void = () => undefined;

  constructor() {
    this.#windows.onmessage = ({ data }: MessageEvent<string>) => {
      if (this.#later.add(data).size >= STREAMS) this.#turn.abort();
    };
  }

  /** Notes that this window is used; its stream comes before those of the others. */
  readonly use = (): void => {
    if (!this.#follows) return;
    this.#later.clear();
    this.#windows.postMessage(this.#id);
    if (!this.#turn.signal.aborted) return;
    this.#turn = new AbortController();
    this.#wake();
  };

  /** Returns a `fetch` whose event streams wait until it is the turn of this window, and end with that. */
  through(fetch: Fetch): Fetch {
    return async (request) => {
      if (request.headers.get("Accept") !== "text/event-stream") return fetch(request);
      if (!this.#follows) {
        this.#follows = true;
        this.use();
      }
      if (this.#turn.signal.aborted) await this.#wait(request.signal);
      return fetch(new Request(request, { signal: AbortSignal.any([request.signal, this.#turn.signal]) }));
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }
}
