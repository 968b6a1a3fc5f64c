import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
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
  assert.deepEqual(JSON.parse(curl), recorded.answer);
  const [py, pyFlag] = run.py as [string, string];
  const source = writeCall(recorded, "Python", service.baseUrl).replace("answer.json()", "answer.text");
  assert.deepEqual(JSON.parse(execFileSync(py, [pyFlag, source], { encoding: "utf8" })), recorded.answer);
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
