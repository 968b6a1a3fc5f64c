import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  ask,
  ConnectionError,
  createClient,
  isProblem,
  joinGame,
  openGame,
  ProblemError,
  unwrap,
} from "../src/index.ts";
import { Service } from "./support/service.ts";

const BASE = "http://service.example";
const JSON_TYPE = { "Content-Type": "application/json" };
const DEALT = { rules: "trebor", players: 4, seed: "arran" } as const;

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service[Symbol.asyncDispose]());

/** A fetch that gives prepared answers, one after the other, the last one for ever; it keeps what it was sent. */
function prepare(...answers: (() => Response | Promise<Response>)[]) {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request);
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    assert(answer);
    return answer();
  };
  return { sent, fetch };
}

const offline = () => Promise.reject(new TypeError("fetch failed"));
const json =
  (body: object, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
const refuse = (code: string, status: number, headers: Record<string, string> = {}) =>
  json({ type: "/problems/x", title: "No", status, detail: "Not now.", instance: "/", code }, status, headers);
const fine = json({ rulesets: [] });

async function thrown(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error,
  );
}

test("a question is answered with the type of its answer", async () => {
  const client = createClient({ baseUrl: service.baseUrl });
  const { position, seed } = await ask(client, "deals", DEALT);
  assert.equal(seed, "arran");
  const { legal_cards } = await ask(client, "legal-moves", { state: position.state });
  assert.deepEqual(legal_cards, position.legal_cards);
  const { answers } = await ask(client, "batches", {
    questions: [{ kind: "positions", state: position.state }],
  });
  assert.equal(answers.length, 1);
});

test("only questions that there are can be asked, with all that they need", () => {
  const client = createClient();
  // @ts-expect-error: there is no such question
  void (() => ask(client, "bids", {}));
  // @ts-expect-error: a game is not a question
  void (() => ask(client, "games", { rules: "trebor", players: 4 }));
  // @ts-expect-error: there is no such ruleset
  void (() => ask(client, "deals", { rules: "bridge", players: 4 }));
  // @ts-expect-error: the card is missing
  void (() => ask(client, "verdicts", { state: "ctt1_trebor" }));
});

test("every operation on a live game has its call in the package", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const document = JSON.parse(read("../../../openapi/openapi.json")) as {
    paths: Record<string, Record<string, object>>;
  };
  const source = ["game", "bearer", "opening"]
    .map((name) => read(`../src/${name}.ts`))
    .join("")
    .replaceAll(/\s/g, "");
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith("/v1/games/") ? Object.keys(item).map((method) => `${method.toUpperCase()}("${path}"`) : [],
  );
  assert(operations.length >= 12);
  assert.deepEqual(
    operations.filter((call) => !source.includes(call)),
    [],
  );
});

test("a refusal is an error that is told apart by its code and has what only this kind has", async () => {
  const client = createClient({ baseUrl: service.baseUrl });
  const { position } = await ask(client, "deals", DEALT);
  const { state, legal_cards } = position;
  const card = (state.hands[position.turn ?? 0] as never[]).find((held) => !legal_cards?.includes(held)) ?? "6C";
  const error = await thrown(ask(client, "next-states", { state, cards: [legal_cards?.[0] ?? card, card] }));
  assert(isProblem(error, "illegal_play", "not_your_turn"));
  assert(isProblem(error, "illegal_play"));
  const { verdict } = error.problem;
  assert.equal(verdict.legal, false);
  assert(error.message.startsWith(verdict.detail));
  assert(verdict.rule === null || error.message.includes(verdict.rule.source));
  assert.match(error.requestId ?? "", /./);
  assert(!isProblem(error, "stale_version"));
  // @ts-expect-error: only a stale version has a version
  assert.equal(error.problem.version, null);
});

test("the text of a refusal names every fault with its place", async () => {
  const client = createClient({ baseUrl: service.baseUrl });
  const error = await thrown(ask(client, "deals", { rules: "trebor", players: "four", dealer: "me" } as never));
  assert(isProblem(error, "invalid_body"));
  assert.equal(error.problem.errors?.length, 2);
  for (const fault of error.problem.errors) assert(error.message.includes(`${fault.pointer}: ${fault.detail}`));
});

test("any call of the document can be unwrapped", async () => {
  const client = createClient({ baseUrl: service.baseUrl });
  const { rulesets } = await unwrap(client.GET("/v1/rulesets"));
  assert(rulesets.length > 0);
  const path = { ruleset_id: "bridge" as "trebor" };
  assert(isProblem(await thrown(unwrap(client.GET("/v1/rulesets/{ruleset_id}", { params: { path } }))), "not_found"));
});

test("a call without an answer is sent again, after a wait that grows", async () => {
  const { sent, fetch } = prepare(offline, offline, fine);
  const began = Date.now();
  await unwrap(createClient({ baseUrl: BASE, fetch }).GET("/v1/rulesets"));
  assert.equal(sent.length, 3);
  assert(Date.now() - began >= 250 + 500);
});

test("half an answer is none", async () => {
  const cut = () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new TextEncoder().encode('{"rules'));
      controller.error(new TypeError("terminated"));
    };
    return new Response(new ReadableStream({ start }));
  };
  const { sent, fetch } = prepare(cut, fine);
  assert.deepEqual(await unwrap(createClient({ baseUrl: BASE, fetch }).GET("/v1/rulesets")), { rulesets: [] });
  assert.equal(sent.length, 2);
});

test("a body is sent again whole", async () => {
  const { sent, fetch } = prepare(offline, json({ position: {} }));
  await ask(createClient({ baseUrl: BASE, fetch }), "deals", DEALT);
  assert.deepEqual(await Promise.all(sent.map((request) => request.json())), [DEALT, DEALT]);
});

test("Retry-After is waited for", async () => {
  for (const after of [() => "1", () => new Date(Date.now() + 2000).toUTCString()]) {
    const when = after();
    const { sent, fetch } = prepare(refuse("too_many_requests", 429, { "Retry-After": when }), fine);
    const began = Date.now();
    await unwrap(createClient({ baseUrl: BASE, fetch }).GET("/v1/rulesets"));
    assert.equal(sent.length, 2);
    assert(Date.now() - began >= 900, when);
  }
});

test("a wait that the timeout does not allow is left to the caller", async () => {
  const { sent, fetch } = prepare(refuse("store_full", 503, { "Retry-After": "60" }));
  const error = await thrown(openGame(createClient({ baseUrl: BASE, fetch }), DEALT as never));
  assert(isProblem(error, "store_full"));
  assert.equal(error.retryAfter, 60);
  assert.equal(sent.length, 1);
});

test("what may be carried out twice is sent once, unless it was refused for the quota", async () => {
  const params = { path: { game_id: "HybaVEduloQ2CRUKMB7JoQ", seat: 0 } };
  const lost = prepare(offline);
  const client = createClient({ baseUrl: BASE, fetch: lost.fetch, timeout: 2000 });
  assert((await thrown(client.POST("/v1/games/{game_id}/seats/{seat}/tokens", { params }))) instanceof ConnectionError);
  assert.equal(lost.sent.length, 1);

  const limited = prepare(refuse("too_many_requests", 429), json({}, 200));
  await createClient({ baseUrl: BASE, fetch: limited.fetch }).POST("/v1/games/{game_id}/seats/{seat}/tokens", {
    params,
  });
  assert.equal(limited.sent.length, 2);
});

test("entropy that gets no answer is sent again, for it is added once", async () => {
  const { sent, fetch } = prepare(offline, json({}));
  const params = { path: { game_id: "HybaVEduloQ2CRUKMB7JoQ" } };
  await createClient({ baseUrl: BASE, fetch }).POST("/v1/games/{game_id}/entropy", { params, body: { entropy: "x" } });
  assert.equal(sent.length, 2);
});

test("a game is opened with a key, the same each time that the call is sent", async () => {
  const { sent, fetch } = prepare(offline, json({}, 201));
  await openGame(createClient({ baseUrl: BASE, fetch }), { rules: "trebor", players: 4 });
  const [first, second] = sent.map((request) => request.headers.get("Idempotency-Key"));
  assert.match(first ?? "", /^[0-9a-f]{32}$/);
  assert.equal(second, first);
});

test("a call without an answer in time is an error with a text to show, also while garbage is collected", async () => {
  setFlagsFromString("--expose_gc");
  const collecting = setInterval(runInNewContext("gc") as () => void, 20);
  // Nothing else holds the request, so that its signal can be collected, and then never aborts.
  const hanging = (request: Request) =>
    new Promise<Response>((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  const error = await thrown(createClient({ baseUrl: BASE, fetch: hanging, timeout: 600 }).GET("/v1/rulesets"));
  clearInterval(collecting);
  assert(error instanceof ConnectionError);
  assert.equal(error.message, "The service cannot be reached.");
  assert.equal((error.cause as Error).name, "TimeoutError");
});

test("what a gateway answers is no problem of the service", async () => {
  const { fetch } = prepare(() => new Response("<h1>Bad Gateway</h1>", { status: 502 }));
  const error = await thrown(unwrap(createClient({ baseUrl: BASE, fetch, timeout: 200 }).GET("/v1/rulesets")));
  assert(error instanceof ConnectionError);
  assert(!(error instanceof ProblemError));
  assert.match(error.message, /502/);
});

/** Successes that the service never wrote: the page of a guest network, and what a broken gateway makes of an answer. */
const STRANGE: Record<string, () => Response> = {
  "a page": () => new Response("<!doctype html><h1>Sign in</h1>", { headers: { "Content-Type": "text/html" } }),
  "a page that claims to be JSON": () => new Response("<h1>Sign in</h1>", { headers: JSON_TYPE }),
  "a page with its length": () => new Response("<h1>Sign in</h1>", { headers: { "Content-Length": "16" } }),
  nothing: () => new Response(null, { headers: JSON_TYPE }),
  "nothing, with its length": () => new Response(null, { headers: { "Content-Length": "0" } }),
  "half an object": () => new Response('{"rulesets": [', { headers: JSON_TYPE }),
  "a word": () => new Response('"ok"', { headers: JSON_TYPE }),
  null: () => new Response("null", { headers: JSON_TYPE }),
};

test("a success that the service did not write is sent again, and then an error of the connection", async () => {
  for (const [name, answer] of Object.entries(STRANGE)) {
    const { sent, fetch } = prepare(answer, fine);
    assert.deepEqual(await unwrap(createClient({ baseUrl: BASE, fetch }).GET("/v1/rulesets")), { rulesets: [] }, name);
    assert.equal(sent.length, 2, name);
    const impatient = createClient({ baseUrl: BASE, fetch: prepare(answer).fetch, timeout: 200 });
    const calls = [
      () => unwrap(impatient.GET("/v1/rulesets")),
      () => impatient.GET("/v1/rulesets"),
      () => openGame(impatient, DEALT as never),
      () => joinGame(impatient, { id: "HybaVEduloQ2CRUKMB7JoQ" }),
    ];
    for (const call of calls) {
      const error = await thrown(call());
      assert(error instanceof ConnectionError, name);
      assert.equal(error.message, "The service cannot be reached: something on the way answered 200.");
      assert.equal(error.status, 200);
    }
  }
});

test("an empty 204 and a record as text are answers", async () => {
  const params = { path: { game_id: "HybaVEduloQ2CRUKMB7JoQ" } };
  const gone = createClient({ baseUrl: BASE, fetch: prepare(() => new Response(null, { status: 204 })).fetch });
  assert((await gone.DELETE("/v1/games/{game_id}", { params })).response.ok);
  const headers = { "Content-Type": "text/vnd.catch-the-ten.record; charset=utf-8" };
  const told = createClient({ baseUrl: BASE, fetch: prepare(() => new Response("[x 1]", { headers })).fetch });
  const { data } = await told.GET("/v1/games/{game_id}/record", { params, parseAs: "text" });
  assert.equal(data, "[x 1]");
});

test("a problem that cannot be read is retried like one that can, and keeps its status and its wait", async () => {
  const faults = { code: "too_busy", detail: "Not now.", status: 503 };
  const bodies = [
    ...[{ ...faults, errors: null }, { ...faults, errors: [null] }, { ...faults, status: null }, {}, [], null].map(
      (body) => JSON.stringify(body),
    ),
    '{"code":"too_',
    "",
  ];
  for (const body of bodies) {
    const headers = { "Content-Type": "application/problem+json", "Retry-After": "1" };
    const answer = () => new Response(body, { status: 503, headers });
    const { sent, fetch } = prepare(answer, fine);
    await unwrap(createClient({ baseUrl: BASE, fetch }).GET("/v1/rulesets"));
    assert.equal(sent.length, 2, body);
    const impatient = createClient({ baseUrl: BASE, fetch: prepare(answer).fetch, timeout: 200 });
    const error = await thrown(unwrap(impatient.GET("/v1/rulesets")));
    assert(error instanceof ConnectionError, body);
    assert.deepEqual([error.status, error.retryAfter], [503, 1]);
  }
});

test("an aborted call throws the reason at once, while it runs and while it waits", async () => {
  for (const answer of [offline, refuse("too_many_requests", 429, { "Retry-After": "20" })]) {
    const { fetch } = prepare(answer);
    const signal = AbortSignal.timeout(50);
    const began = Date.now();
    const error = await thrown(ask(createClient({ baseUrl: BASE, fetch }), "deals", DEALT, { signal }));
    assert.equal(error, signal.reason);
    assert(Date.now() - began < 1000);
  }
});

test("the key of the app is sent with each call", async () => {
  const { sent, fetch } = prepare(fine);
  await createClient({ baseUrl: BASE, fetch, apiKey: "ct_secret" }).GET("/v1/rulesets");
  assert.equal(sent[0]?.headers.get("X-API-Key"), "ct_secret");
});
