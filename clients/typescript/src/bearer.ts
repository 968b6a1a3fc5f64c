import type { Client } from "./client.ts";
import { newKey } from "./key.ts";
import type { CallOptions, Invitation, RenewOptions, SeatOptions } from "./options.ts";
import { type Answer, blameTheWay, isProblem, unwrap } from "./problems.ts";
import { ignore } from "./retry.ts";
import type { ChangePage, Seat } from "./schema.ts";

/** The caller of a game: its id, and the token that holds now. */
export class Bearer {
  readonly #client: Client;
  readonly #closed = new AbortController();
  #invitation: Invitation;
  /** By seat the keys of renewals that are not answered yet: asked again, they get the same token. */
  readonly #keys = new Map<Seat, string>();
  /** Ends when no token is being renewed. */
  #renewal: Promise<void> = Promise.resolve();

  constructor(client: Client, invitation: Invitation) {
    this.#client = client;
    this.#invitation = invitation;
  }

  get id(): string {
    return this.#invitation.id;
  }

  get token(): string | undefined {
    return this.#invitation.token;
  }

  /** Aborts when the game is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  close(): void {
    this.#closed.abort();
  }

  /** Returns the signal with which a call is given up. */
  signal({ signal }: CallOptions): AbortSignal {
    return signal ? AbortSignal.any([signal, this.closed]) : this.closed;
  }

  /** Makes the parts that every call on the game needs: its id, the token, the signal. */
  init(options: CallOptions) {
    return makeInit(this.#invitation, { signal: this.signal(options) });
  }

  /** Makes the parts that a call on a seat needs; a bearer with a seat of their `own` need not name it. */
  seatInit(own: Seat | null, { seat = own ?? undefined, ...options }: SeatOptions) {
    if (seat === undefined) throw new TypeError("Who has no seat names the seat.");
    return { ...this.init(options), params: { path: { game_id: this.id, seat } } };
  }

  /** Replaces the token of a seat, and calls with the new one if the seat is `own`. */
  renewToken(own: Seat | null, options: RenewOptions): Promise<string> {
    const renewal = this.#renew(own, options);
    this.#renewal = renewal.then(ignore, ignore);
    return renewal;
  }

  async #renew(own: Seat | null, { name = null, ...options }: RenewOptions): Promise<string> {
    const init = this.seatInit(own, options);
    const { seat } = init.params.path;
    const key = this.#keys.get(seat) ?? newKey();
    this.#keys.set(seat, key);
    const params = { ...init.params, header: { "Idempotency-Key": key } };
    const call = this.#client.POST("/v1/games/{game_id}/seats/{seat}/tokens", { ...init, params, body: { name } });
    const { token } = await unwrap(call);
    this.#keys.delete(seat);
    if (seat === own) this.#invitation = { id: this.id, token };
    return token;
  }

  /** Connects to the event stream. */
  connect(seen: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#withToken(async () => {
      const init = makeInit(this.#invitation, { signal });
      const params = { ...init.params, header: { "Last-Event-ID": seen } };
      const headers = { ...init.headers, Accept: "text/event-stream" };
      const call = this.#client.GET("/v1/games/{game_id}/events", { ...init, params, headers, parseAs: "stream" });
      return readStream(await call);
    });
  }

  /** Lists the messages of the event stream, a page of them. */
  list(seen: string, signal: AbortSignal): Promise<ChangePage> {
    return this.#withToken(() => {
      const init = makeInit(this.#invitation, { signal });
      const params = { ...init.params, query: { after: seen } };
      return unwrap(this.#client.GET("/v1/games/{game_id}/changes", { ...init, params }));
    });
  }

  /** Calls with the token that holds now, and once more if it was renewed meanwhile. */
  async #withToken<T>(call: () => Promise<T>): Promise<T> {
    await this.#renewal;
    const { token } = this;
    try {
      return await call();
    } catch (error) {
      await this.#renewal;
      if (token === this.token || !isProblem(error, "unknown_token")) throw error;
      return call();
    }
  }
}

/** Returns the stream of an answer, if the service wrote it: a page of a guest network would look like one that is silent. */
async function readStream(answer: Answer<unknown>): Promise<ReadableStream<Uint8Array>> {
  const stream = (await unwrap(Promise.resolve(answer))) as ReadableStream<Uint8Array> | null;
  const { response } = answer;
  if (stream && response.headers.get("Content-Type")?.startsWith("text/event-stream")) return stream;
  stream?.cancel().catch(ignore);
  throw blameTheWay(response);
}

/** The parts that every call on a game needs. */
export type Init = ReturnType<typeof makeInit>;

/** Makes the parts that every call on a game needs: its id, the token, the signal. */
export function makeInit({ id, token }: Invitation, { signal }: CallOptions) {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return { params: { path: { game_id: id } }, headers, signal: signal ?? null };
}
