/** The clients of the page: one for what is answered at once, one for questions whose answer is worked out. */

import { type Client, createClient } from "catch-the-ten";
import type { Recorder } from "./calls.ts";
import type { Clock } from "./clock.ts";
import type { StreamTurns } from "./streams.ts";

/** Milliseconds that an answer may be worked out, in all. */
const PATIENCE = 540_000;

/** A client, one that waits longer, for hints, the computer's cards and deals looked back at, and the clock of all. */
export interface PageClient extends Client {
  readonly patient: Client;
  readonly clock: Clock;
}

export function createClients(
  { fetch, fetchSlow }: Recorder,
  clock: Clock,
  baseUrl = "",
  turns?: StreamTurns,
): PageClient {
  const patient = createClient({ baseUrl, fetch: fetchSlow, timeout: PATIENCE });
  return Object.assign(createClient({ baseUrl, fetch: turns?.through(fetch) ?? fetch }), { patient, clock });
}
