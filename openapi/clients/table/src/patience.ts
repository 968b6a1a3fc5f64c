/** The clients of the page: one for what is answered at once, one for questions whose answer is worked out. */

import { type Client, createClient } from "catch-the-ten";
import type { Recorder } from "./calls.ts";

/** Milliseconds that an answer may be worked out, in all. */
const PATIENCE = 540_000;

/** A client, and one that waits longer: for hints, the cards of the computer, and a deal looked back at. */
export interface PageClient extends Client {
  readonly patient: Client;
}

export function createClients({ fetch, fetchSlow }: Recorder, baseUrl = ""): PageClient {
  const patient = createClient({ baseUrl, fetch: fetchSlow, timeout: PATIENCE });
  return Object.assign(createClient({ baseUrl, fetch }), { patient });
}
