/** The calls that the page has made, and how each is made from a command line, TypeScript and Python. */

import { Clock, type Ticks } from "./clock.ts";

/** A call of the service and its answer. */
export interface Call {
  readonly number: number;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The body, undefined if there was none. */
  readonly body: unknown;
  /** What the headers said, without those that every call has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The status and the body of the answer, undefined as long as there is none. */
  readonly status: number | undefined;
  readonly answer: unknown;
}

const SECRETS = ["token", "host_token"];
const SHOWN = ["if-match", "idempotency-key", "authorization"];
/** Calls that are kept: the earlier ones are forgotten. */
const KEPT = 40;
/** Milliseconds after which it is said that an answer is still worked out. */
const SLOW = 10_000;

/** Records the calls that go through its `fetch`. */
export class Recorder {
  calls: readonly Call[] = [];
  /** True if the last call had no answer. */
  lost = false;
  /** True while an answer is worked out for so long that it is said. */
  slow = false;
  readonly #changed: () => void;
  readonly #ticks: Ticks;
  #made = 0;

  constructor(changed: () => void, { ticks }: Clock = new Clock()) {
    this.#changed = changed;
    this.#ticks = ticks;
  }

  /** A `fetch` that records what it sends and gets, but for event streams. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const copy = request.clone();
    const response = await this.#send(request);
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
    // An answer that does not come whole is not shown; who asked for it gets the error.
    this.#note(copy, response.clone()).catch(() => undefined);
    return response;
  };

  /** The same for a question that may take long. */
  readonly fetchSlow = async (request: Request): Promise<Response> => {
    const answered = this.#ticks.later(() => this.#set("slow", true), SLOW);
    try {
      return await this.fetch(request);
    } finally {
      answered();
      this.#set("slow", false);
    }
  };

  #set(flag: "lost" | "slow", value: boolean): void {
    if (this[flag] === value) return;
    this[flag] = value;
    this.#changed();
  }

  async #send(request: Request): Promise<Response> {
    try {
      const response = await globalThis.fetch(request);
      this.#set("lost", false);
      return response;
    } catch (error) {
      // A call that is given up on purpose says nothing of the service.
      if (!(error instanceof DOMException && error.name === "AbortError")) this.#set("lost", true);
      throw error;
    }
  }

  async #note(request: Request, response: Response): Promise<void> {
    const url = new URL(request.url);
    const sent = await request.text();
    const got = await response.text();
    const headers = SHOWN.filter((name) => request.headers.has(name)).map((name) => [
      name,
      hide(name, request.headers),
    ]);
    this.#made += 1;
    const call: Call = {
      number: this.#made,
      method: request.method,
      path: url.pathname + url.search,
      body: sent ? JSON.parse(sent) : undefined,
      headers: Object.fromEntries(headers),
      status: response.status,
      answer: parse(got),
    };
    this.calls = [call, ...this.calls].slice(0, KEPT);
    this.#changed();
  }
}

/** Returns a header as it is shown: a secret is one also from who looks at the screen. */
function hide(name: string, headers: Headers): string {
  if (name === "authorization") return "Bearer …";
  return name === "idempotency-key" ? "…" : (headers.get(name) ?? "");
}

/** Reads an answer, but for the tokens in it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (name, value: unknown) => (SECRETS.includes(name) ? "…" : value));
  } catch {
    return text;
  }
}

/** The languages in which a call is shown. */
export const LANGUAGES = ["curl", "TypeScript", "Python"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns the source text of a call. */
export function writeCall(call: Call, language: Language, origin: string): string {
  if (language === "curl") return writeCurl(call, origin);
  return language === "TypeScript" ? writeTypeScript(call, origin) : writePython(call, origin);
}

function writeCurl({ method, path, body, headers }: Call, origin: string): string {
  const lines = [`curl -s ${origin}${path}`];
  if (method !== "GET" && body === undefined) lines.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H '${name}: ${value}'`);
  if (body !== undefined) lines.push(`--json '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n  ");
}

function writeTypeScript({ method, path, body, headers }: Call, origin: string): string {
  const question = /^\/v1\/([a-z-]+)$/.exec(path)?.[1];
  const start = `import { ask, createClient, unwrap } from "catch-the-ten";\n\nconst client = createClient({ baseUrl: "${origin}" });\n`;
  const value = JSON.stringify(body, null, 2);
  if (method === "POST" && question !== undefined && question !== "games") {
    return `${start}const answer = await ask(client, "${question}", ${value});`;
  }
  const init = [
    ...(Object.keys(headers).length ? [`headers: ${JSON.stringify(headers)}`] : []),
    ...(body === undefined ? [] : [`body: ${value}`]),
  ];
  return `${start}const answer = await unwrap(client.${method}("${path}"${init.length ? `, { ${init.join(", ")} }` : ""}));`;
}

function writePython({ method, path, body, headers }: Call, origin: string): string {
  const lines = ["import httpx", ""];
  const more = [
    ...(Object.keys(headers).length ? [`headers=${pythonOf(headers)}`] : []),
    ...(body === undefined ? [] : [`json=${pythonOf(body)}`]),
  ];
  lines.push(`answer = httpx.request("${method}", "${origin}${path}"${more.map((one) => `, ${one}`).join("")})`);
  return [...lines, "print(answer.json())"].join("\n");
}

/** Returns a value of JSON as Python writes it. */
function pythonOf(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value as object).map(([name, field]) => `${JSON.stringify(name)}: ${pythonOf(field)}`);
  return `{${fields.join(", ")}}`;
}
