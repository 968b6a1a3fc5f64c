import { blameTheWay, ConnectionError, isObject, retryAfter } from "./problems.ts";

/** Answers that may be another one a moment later. */
const PASSING: readonly number[] = [408, 429, 502, 503, 504];
/** Times that a call could be sent if no answer ever came: an attempt is given up after this part of the timeout. */
const ATTEMPTS = 3;
/** How the media types of the service's own texts begin. */
const OWN_TEXT = "text/vnd.catch-the-ten";
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

/** Returns the milliseconds to wait after failures in a row: twice as long after each, and not all clients alike. */
export function backoff(failures: number, first: number = FIRST_WAIT): number {
  return Math.min(first * 2 ** failures, LONGEST_WAIT) * (1 + Math.random() / 2);
}

/** Does nothing. */
export const ignore = (): void => undefined;

/** Waits; an aborted signal ends it at once, with the reason of the signal. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Returns true if a request may be sent twice: it was not carried out, changes nothing, or says what it is. */
function isRepeatable({ method, url, headers }: Request, status?: number): boolean {
  const { pathname } = new URL(url);
  if (status === 429 || method !== "POST" || !pathname.includes("/v1/games")) return true;
  if (/\/(entropy|rematches)$/.test(pathname)) return true;
  return headers.has("If-Match") || headers.has("Idempotency-Key");
}

/**
 * Returns a `fetch` that sends a request again until it is answered, for as long as the timeout allows.
 *
 * It waits longer each time, and as long as Retry-After says. An answer is read to its end. One that is cut off counts as
 * none, and so does a success that is not JSON, such as the sign-in page of a guest network; only event streams are not read, and not sent again. Requests that could be carried out twice are sent once.
 */
export function retryingFetch(fetch: (request: Request) => Promise<Response>, timeout: number) {
  return async (request: Request): Promise<Response> => {
    if (request.headers.get("Accept") === "text/event-stream") return fetch(request);
    const until = Date.now() + timeout;
    for (let failures = 0; ; failures += 1) {
      const { response, failure } = await attempt(fetch, request, Math.min(timeout / ATTEMPTS, until - Date.now()));
      if (response && !PASSING.includes(response.status)) return response;
      const wait = Math.max(backoff(failures), 1000 * (response ? (retryAfter(response.headers) ?? 0) : 0));
      if (Date.now() + wait >= until || !isRepeatable(request, response?.status)) {
        if (response) return response;
        throw failure instanceof ConnectionError
          ? failure
          : new ConnectionError("The service cannot be reached.", { cause: failure });
      }
      await sleep(wait, request.signal);
    }
  };
}

/** Sends a request once, and reads the whole answer. */
async function attempt(
  fetch: (request: Request) => Promise<Response>,
  request: Request,
  timeout: number,
): Promise<{ response?: Response; failure?: unknown }> {
  const expired = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The signal alone would not do: Node 20 may collect one that follows others, and it never fires.
  const late = new Promise<never>((_, reject) => {
    const expire = (): void => {
      const reason = new DOMException("The call took too long.", "TimeoutError");
      expired.abort(reason);
      reject(reason);
    };
    timer = setTimeout(expire, Math.max(1, Math.ceil(timeout)));
  });
  const signal = AbortSignal.any([request.signal, expired.signal]);
  try {
    return { response: await Promise.race([late, read(fetch(new Request(request.clone(), { signal })))]) };
  } catch (failure) {
    request.signal.throwIfAborted();
    return { failure };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a whole answer. */
async function read(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  const body = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  const whole = new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
  if (response.ok && !(await isAnswer(whole.clone()))) throw blameTheWay(response);
  return whole;
}

/** Returns true for a success that the service can have written: an object as JSON, a record as text, or nothing (204). */
async function isAnswer(response: Response): Promise<boolean> {
  if (response.status === 204 || response.headers.get("Content-Type")?.startsWith(OWN_TEXT)) return true;
  return response.json().then(isObject, () => false);
}
