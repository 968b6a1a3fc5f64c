import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ask, createClient } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { type Call, Recorder, writeCall } from "../src/calls.ts";

const PYTHON = process.env.PYTHON ?? fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

test("a call that is shown as curl or Python gives the same answer when it is pasted", async () => {
  await using service = await Service.start();
  const recorded = await new Promise<Call>((resolve) => {
    const recorder: Recorder = new Recorder(() => resolve(recorder.calls[0] ?? assert.fail()));
    const client = createClient({ baseUrl: service.baseUrl, fetch: recorder.fetch });
    // A seed may not have these characters: the refusal repeats them, so that it shows what was sent.
    ask(client, "deals", { rules: "trebor", players: 4, seed: 'it\'s "ours" \\ å' }).catch(() => undefined);
  });
  const run = { sh: ["sh", "-c"], py: [PYTHON, "-c"] };
  const [sh, shFlag] = run.sh as [string, string];
  const curl = execFileSync(sh, [shFlag, writeCall(recorded, "curl", service.baseUrl)], { encoding: "utf8" });
  // The instance of a problem is the id of its request.
  const expected = { ...(recorded.answer as object), instance: undefined };
  assert.deepEqual({ ...JSON.parse(curl), instance: undefined }, expected);
  const [py, pyFlag] = run.py as [string, string];
  const source = writeCall(recorded, "Python", service.baseUrl).replace("answer.json()", "answer.text");
  const python = JSON.parse(execFileSync(py, [pyFlag, source], { encoding: "utf8" }));
  assert.deepEqual({ ...python, instance: undefined }, expected);
});

test("a call is shown in TypeScript as a question, or else as a typed call", () => {
  const call: Call = {
    number: 1,
    method: "POST",
    path: "/v1/legal-moves",
    body: { state: "ctt1" },
    headers: {},
    status: 200,
    answer: {},
  };
  assert.match(writeCall(call, "TypeScript", "http://a"), /ask\(client, "legal-moves", \{\n {2}"state": "ctt1"\n\}\)/);
  const read: Call = { ...call, method: "GET", path: "/v1/rulesets", body: undefined };
  assert.match(writeCall(read, "TypeScript", "http://a"), /client\.GET\("\/v1\/rulesets"\)/);
});

test("a token is not shown", async () => {
  await using service = await Service.start();
  const recorded = await new Promise<Call>((resolve) => {
    const recorder: Recorder = new Recorder(() => resolve(recorder.calls[0] ?? assert.fail()));
    const headers = { authorization: "Bearer secret" };
    void recorder.fetch(new Request(`${service.baseUrl}/v1/games/${"x".repeat(22)}`, { headers }));
  });
  for (const language of ["curl", "TypeScript", "Python"] as const) {
    assert(!writeCall(recorded, language, "http://a").includes("secret"));
  }
});

/** Starts a server for one test that answers in its own way, and returns its address. */
async function listen(context: TestContext, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("an answer that is given up before it is whole is not shown, and breaks nothing", async (context) => {
  const url = await listen(context, (response) => response.writeHead(200, { "content-length": 9 }).write("{"));
  const recorder = new Recorder(() => undefined);
  const given = new AbortController();
  const response = await recorder.fetch(new Request(url, { signal: given.signal }));
  given.abort();
  await assert.rejects(response.text());
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([recorder.calls, recorder.lost], [[], false]);
});

test("a call that nobody answers is known to be lost until one is answered", async (context) => {
  const url = await listen(context, (response) => response.end("{}"));
  const seen: boolean[] = [];
  const recorder: Recorder = new Recorder(() => seen.push(recorder.lost));
  await assert.rejects(recorder.fetch(new Request("http://127.0.0.1:1/")));
  await (await recorder.fetch(new Request(url))).text();
  assert.deepEqual(seen.slice(0, 2), [true, false]);
});
