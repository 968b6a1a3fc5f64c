import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createClient, finishedGames, isProblem, joinGame, openGame } from "../src/index.ts";
import { Service } from "./support/service.ts";

const KEY = "the-key-of-an-app";
const API_KEYS = `app:${createHash("sha256").update(KEY).digest("hex")}`;

test("finished games come in order, and behind the place of one of them", async () => {
  await using service = await Service.start({ API_KEYS });
  const client = createClient({ baseUrl: service.baseUrl, apiKey: KEY });
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) {
    const { id, seats, host_token } = await openGame(client, { rules: "trebor", players: 2 });
    const host = await joinGame(client, { id, token: host_token });
    await host.deal();
    await (await joinGame(client, { id, token: seats[0]?.token ?? "" })).resign();
    ids.push(id);
  }
  const places: string[] = [];
  for await (const game of finishedGames(client)) {
    assert.equal(game.id, ids[places.length]);
    assert.equal(game.won_by?.how, "resignation");
    places.push(game.place);
    if (places.length === 3) break;
  }
  for await (const game of finishedGames(client, { after: places[1] })) {
    assert.equal(game.id, ids[2]);
    break;
  }
});

test("a service without keys has no finished games for anybody", async () => {
  await using service = await Service.start();
  const games = finishedGames(createClient({ baseUrl: service.baseUrl }));
  await assert.rejects(games.next(), (error) => isProblem(error, "no_apps"));
});

test("the program of the guide sends each finished game on with a signature", async () => {
  const guide = await readFile(new URL("../../../service/api/pages/templates/guide.md", import.meta.url), "utf8");
  const [, program = ""] = guide.match(/```ts\n(.*?)```/s) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "webhooks-"));
  const file = join(folder, "forward.mts"); // a module here too, so that src/ is loaded once and measured once
  await writeFile(file, program.replace("catch-the-ten", new URL("../src/index.ts", import.meta.url).href));
  const { forward } = await import(pathToFileURL(file).href);
  const receiver = createServer().listen(0, "127.0.0.1");
  await once(receiver, "listening");
  await using service = await Service.start({ API_KEYS });
  const client = createClient({ baseUrl: service.baseUrl, apiKey: KEY });
  const { id, host_token } = await openGame(client, { rules: "trebor", players: 2 });
  await (await joinGame(client, { id, token: host_token })).delete();
  const secret = `whsec_${Buffer.from("a secret of the receiver").toString("base64")}`;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const ended = assert.rejects(forward(service.baseUrl, KEY, url, secret), /answered 500/);
  const [request, response] = await once(receiver, "request");
  const body = (await request.toArray()).join("");
  response.writeHead(500).end();
  await ended;
  receiver.close();
  await rm(folder, { recursive: true });
  const { "webhook-id": of, "webhook-timestamp": at, "webhook-signature": signature } = request.headers;
  const expected = createHmac("sha256", "a secret of the receiver").update(`${of}.${at}.${body}`).digest("base64");
  assert.equal(signature, `v1,${expected}`);
  assert.equal(JSON.parse(body).data.id, id);
  assert.equal(of, id);
});
