import type { Problem, ProblemCode } from "./schema.ts";

interface Facts {
  illegal_play: "verdict";
  not_your_turn: "turn";
  stale_version: "version";
  too_many_requests: "seconds";
}

type FactOf<C> = C extends keyof Facts ? Facts[C] : never;

/** The problem document of a code, with what is only there: `verdict`, `turn`, `version` or `seconds`. */
export type ProblemOf<C extends ProblemCode> = C extends ProblemCode
  ? Omit<Problem, Facts[keyof Facts]> & { code: C } & { [F in FactOf<C>]: NonNullable<Problem[F]> }
  : never;

/**
 * The service refuses a call. `code` says why, and does not change; `message` is a text to show to people.
 *
 * @example
 * try {
 *   await game.play("TH");
 * } catch (error) {
 *   if (isProblem(error, "illegal_play")) highlight(error.problem.verdict.legal_cards);
 *   else throw error;
 * }
 */
export class ProblemError<C extends ProblemCode = ProblemCode> extends Error {
  override readonly name: string = "ProblemError";
  /** The kind of problem. */
  readonly code: C;
  /** The problem document, as the service sent it. */
  readonly problem: ProblemOf<C>;
  /** Seconds after which the service asks to be called again, where it says so. */
  readonly retryAfter: number | undefined;
  /** The id of the request: the operator of the service finds it in the log. */
  readonly requestId: string | undefined;

  constructor(problem: ProblemOf<C>, headers: Headers = new Headers()) {
    super(describe(problem as Problem));
    this.code = problem.code as C;
    this.problem = problem;
    this.retryAfter = retryAfter(headers);
    this.requestId = headers.get("X-Request-ID") ?? undefined;
  }
}

/**
 * The service was not reached, or what came was not its answer. `message` is a text to show to people.
 *
 * Whether the call was carried out is not known. All calls of this package that change something can be made again.
 */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  /** The status of what came in place of an answer of the service, if anything came. */
  readonly status: number | undefined;
  /** Seconds after which the service asks to be called again, where it says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { response, cause }: { response?: Response; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = response?.status;
    this.retryAfter = response && retryAfter(response.headers);
  }
}

/** Returns true if an error is a problem, of one of these codes if any are named. */
export function isProblem<C extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: C[]
): error is ProblemError<C> {
  return error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code as C));
}

/** The answer to a call of `openapi-fetch`. */
export interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * Returns the data of a call, or throws what went wrong with it.
 *
 * @throws {ProblemError} if the service refuses the call.
 * @throws {ConnectionError} if the service cannot be reached.
 *
 * @example
 * const { rulesets } = await unwrap(client.GET("/v1/rulesets"));
 */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (response.ok) return data as NonNullable<T>;
  throw readProblem(error, response);
}

/** Reads the refusal in an answer; a gateway on the way gives answers that are none. */
export function readProblem(body: unknown, response: Response): ProblemError | ConnectionError {
  return isDocument(body) ? new ProblemError(body as ProblemOf<ProblemCode>, response.headers) : blameTheWay(response);
}

/** Makes the error for an answer that the service did not write, such as the sign-in page of a guest network. */
export function blameTheWay(response: Response): ConnectionError {
  const { status } = response;
  return new ConnectionError(`The service cannot be reached: something on the way answered ${status}.`, { response });
}

/** Returns true for a problem document; fields that only some problems have may be missing. */
function isDocument(body: unknown): body is Problem {
  if (!isObject(body)) return false;
  const { code, detail, status, errors = [] } = body;
  const isTold = typeof code === "string" && typeof detail === "string" && typeof status === "number";
  return isTold && Array.isArray(errors) && errors.every(isObject);
}

/** Returns true for an object, also for a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns the seconds of a Retry-After, which may be a number or a date. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("Retry-After");
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Says what is wrong: the detail, with the rule that forbids a card; where there are several faults, each with its place. */
function describe({ detail, errors = [], verdict }: Problem): string {
  const text = verdict?.rule ? `${detail} ${verdict.rule.says} (${verdict.rule.source})` : detail;
  const faults =
    errors.length > 1 ? errors.map(({ pointer, detail: fault }) => (pointer ? `${pointer}: ${fault}` : fault)) : [];
  return [text, ...faults].join("\n");
}
