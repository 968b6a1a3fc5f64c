import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import { unwrap } from "./problems.ts";
import { retryingFetch } from "./retry.ts";
import type { paths } from "./schema.ts";

/**
 * A client of the service: the typed `GET`, `POST`, `PUT` and `DELETE` of `openapi-fetch` for every operation.
 *
 * Its calls return `{ data, error, response }`; `unwrap` turns them into data or a thrown error.
 */
export type Client = FetchClient<paths, "application/json" | "application/problem+json">;

/** The address of the service, and the options of calls. */
export interface ClientOptions {
  /** The address of the service. By default the one that the page comes from. */
  baseUrl?: string;
  /** The key of your app, if the service asks for one. Leave it out of what you send to browsers. */
  apiKey?: string;
  /** Milliseconds that a call may take in all, with every time that it is sent again. By default 30,000. */
  timeout?: number;
  /** A `fetch` of your own, which gets every request. By default the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Makes a client.
 *
 * A call without an answer, or with one that may change (429, 503), is sent again, after a wait that grows and is as
 * long as Retry-After says, if it cannot be carried out twice: it changes nothing, or it has an `If-Match` or an
 * `Idempotency-Key`.
 *
 * @example
 * const client = createClient({ baseUrl: "https://cards.example" });
 * const { position } = await ask(client, "deals", { rules: "trebor", players: 4 });
 */
export function createClient(options: ClientOptions = {}): Client {
  const { baseUrl = "", apiKey, timeout = 30_000, fetch = (request) => globalThis.fetch(request) } = options;
  const headers = apiKey === undefined ? {} : { "X-API-Key": apiKey };
  return createFetchClient({ baseUrl, headers, fetch: retryingFetch(fetch, timeout) });
}

type Questions = {
  [P in keyof paths as P extends `/v1/${infer Name}`
    ? Name extends `games${string}` | "my-games"
      ? never
      : Name
    : never]: paths[P];
};
type Asked<Q> = Q extends { post: { requestBody: { content: { "application/json": infer Body } } } } ? Body : never;
type Answered<Q> = Q extends { post: { responses: infer Responses } }
  ? Responses extends { 200: { content: { "application/json": infer Body } } }
    ? Body
    : never
  : never;

/** The name of a question: what comes after `/v1/` in its path, such as `legal-moves`. */
export type QuestionName = { [N in keyof Questions]: Asked<Questions[N]> extends never ? never : N }[keyof Questions];

/** The body of a question. */
export type Question<N extends QuestionName> = Asked<Questions[N]>;

/** The answer to a question. */
export type AnswerTo<N extends QuestionName> = Answered<Questions[N]>;

/**
 * Asks one of the questions, which keep nothing: the answer follows from the body alone.
 *
 * @throws {ProblemError} if the service refuses the question.
 * @throws {ConnectionError} if the service cannot be reached.
 *
 * @example
 * const { legal_cards } = await ask(client, "legal-moves", { state });
 */
export function ask<N extends QuestionName>(
  client: Client,
  name: N,
  body: Question<N>,
  { signal = null }: { signal?: AbortSignal | null | undefined } = {},
): Promise<AnswerTo<N>> {
  const post = client.POST as (path: string, init: object) => Promise<{ data?: AnswerTo<N>; response: Response }>;
  return unwrap(post(`/v1/${name}`, { body, signal })) as Promise<AnswerTo<N>>;
}
