import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createClient, joinGame, openGame } from "catch-the-ten";
import type { Browser, Page } from "playwright-core";
import { launch, withoutBrowser } from "../../typescript/test/support/browser.ts";
import { Service } from "../../typescript/test/support/service.ts";
import { checkAccess, checkWidth, countBytes, LOOKS, NARROW, openPage } from "./watch.ts";

const PAGES = ["/", "/guide", "/rulesets", "/problems", "/problems/illegal-play", "/problems/impossible-state"];

let service: Service;
let browser: Browser;
before(async () => {
  if (withoutBrowser) return;
  service = await Service.start();
  browser = await launch();
});
after(async () => {
  if (withoutBrowser) return;
  await browser.close();
  await service[Symbol.asyncDispose]();
});

// A browser draws pages of which several are open only now and then: one of them may wait for 30 seconds.
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

for (const [name, dark, viewport] of LOOKS) {
  test(`axe finds nothing on the pages for reading: ${name}`, { skip: withoutBrowser }, async (context) => {
    for (const path of PAGES) {
      const [page, watch] = await openPage(browser, service.baseUrl + path, dark, viewport);
      await checkAccess(page);
      await checkWidth(page);
      assert.deepEqual(watch.faults, [], path);
      context.diagnostic(`${path}: ${await countBytes(page)} bytes in ${watch.requests} requests`);
      await page.context().close();
    }
  });
}

test("the rulesets stand beside each other on a common screen", { skip: withoutBrowser }, async () => {
  const [page] = await openPage(browser, `${service.baseUrl}/rulesets`, false, { width: 1366, height: 768 });
  const table = page.getByRole("region", { name: "The rulesets, field by field" });
  assert.ok(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  assert.doesNotMatch(await table.innerText(), /_/);
});

test("a player finds Play on the first screen of every phone", { skip: withoutBrowser }, async () => {
  const [page] = await openPage(browser, service.baseUrl);
  for (const [width, height] of [
    [320, 568],
    [360, 640],
    [390, 844],
    [667, 375],
  ] as const) {
    await page.setViewportSize({ width, height });
    const { y = Infinity, height: high = 0 } =
      (await page.locator("main").getByRole("link", { name: "Play", exact: true }).boundingBox()) ?? {};
    assert.ok(y + high <= height, `${width}x${height}: ${y + high}`);
    await checkWidth(page);
  }
  for (const door of ["Players", "Builders"]) await page.getByRole("heading", { name: door }).waitFor();
});

for (const [name, dark, viewport] of LOOKS) {
  test(`the reference shows an operation with snippets: ${name}`, { skip: withoutBrowser }, async (context) => {
    const [page, watch] = await openPage(browser, `${service.baseUrl}/docs#/Questions/positions`, dark, viewport);
    const snippet = page.locator(".snippets pre");
    await snippet.waitFor();
    assert.match((await snippet.textContent()) ?? "", /^curl -s -X POST 'http.*\/v1\/positions'/);
    await page.click(".snippets >> text=Python");
    assert.match((await snippet.textContent()) ?? "", /httpx\.post\("http.*None/s);
    await page.click(".snippets >> text=JavaScript");
    assert.match((await runSnippet(page, (await snippet.textContent()) ?? "")) ?? "", /^200 .*"legal_cards":\["JH"\]/);
    await checkWidth(page);
    assert.equal(await page.evaluate("document.documentElement.classList.contains('dark-mode')"), dark);
    assert.deepEqual(watch.faults, []);
    context.diagnostic(`/docs: ${await countBytes(page)} bytes in ${watch.requests} requests`);
  });
}

for (const [name, dark, viewport] of [LOOKS[0], LOOKS[3]]) {
  test(`axe finds nothing on the reference: ${name}`, { skip: withoutBrowser }, async () => {
    const [page, watch] = await openPage(browser, `${service.baseUrl}/docs`, dark, viewport);
    await openParts(page);
    await checkAccess(page);
    assert.deepEqual(watch.faults, []);
  });
}

test("the first operation is on the first screen, and a search finds others", { skip: withoutBrowser }, async () => {
  const [page] = await openPage(browser, `${service.baseUrl}/docs`, false, { width: 1280, height: 800 });
  const shown = page.locator(".operation:not([hidden])");
  assert.ok(((await shown.first().boundingBox())?.y ?? Infinity) < 600);
  const search = page.getByRole("searchbox", { name: "Search the operations" });
  await search.fill("Record adjudicate");
  assert.ok((await shown.locator("code").allTextContents()).includes("/v1/adjudications"));
  for (const word of ["hint", "undo", "websocket", "login", "bot", "history", "shuffle", "lobby", "errors", "poll"]) {
    await search.fill(word);
    const hits = await shown.count();
    assert.ok(hits > 0 && hits < 12, `${word}: ${hits}`);
    assert.equal(await page.locator("#found").textContent(), "", word);
  }
  await search.fill("deal xyzzy");
  await page.getByText("No operation has all of these words. These have some.").waitFor();
  assert.ok((await shown.count()) > 0);
  await search.fill("xyzzy");
  assert.equal(await shown.count(), 0);
  await page.locator("#found").getByRole("link", { name: "the guide" }).click();
  await page.waitForURL(`${service.baseUrl}/guide`);
});

test("the first operation is there within 3 seconds on a phone", { skip: withoutBrowser }, async (context) => {
  const [page] = await openPage(browser, "about:blank", false, NARROW);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await devtools.send("Performance.enable");
  await page.goto(`${service.baseUrl}/docs`);
  const painted = await page.evaluate<number>("performance.getEntriesByType('paint').at(-1).startTime");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const busy = metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  context.diagnostic(
    `/docs: painted after ${Math.round(painted)} ms, ${Math.round(1000 * busy)} ms of the main thread`,
  );
  // What takes seconds of a phone is not there until an operation is opened.
  assert.equal(await page.evaluate("typeof SwaggerUIBundle"), "undefined");
  assert.ok(await page.locator(".operation").first().isVisible());
});

test("an operation says where this service asks for a token or a key", { skip: withoutBrowser }, async () => {
  await using keyed = await Service.start({ API_KEYS: `arran:${"0".repeat(64)}` });
  for (const [baseUrl, locks] of [
    [service.baseUrl, { deal_next: "needs a token" }],
    [keyed.baseUrl, { deal_next: "needs a token", deals: "needs a key", get_game: "needs a token or a key" }],
  ] as const) {
    const [page] = await openPage(browser, `${baseUrl}/docs`);
    for (const id of ["deal_next", "deals", "get_game", "list_rulesets"])
      assert.deepEqual(
        await page.locator(`#${id} .lock`).allTextContents(),
        Object.entries(locks).flatMap(([locked, words]) => (locked === id ? [words] : [])),
        id,
      );
    await page.context().close();
  }
});

test("every operation of the reference has a snippet in each language", { skip: withoutBrowser }, async () => {
  const [page] = await openPage(browser, `${service.baseUrl}/docs`);
  const snippets = await page.evaluate<string[]>(`load().then((spec) =>
    Object.entries(spec.paths).flatMap(([path, item]) => Object.keys(item).flatMap((method) =>
      Object.values(WRITERS).map((write) => write(sample(spec, path, method))))))`);
  const { paths } = JSON.parse(await (await fetch(`${service.baseUrl}/openapi.json`)).text());
  assert.equal(snippets.length, 3 * Object.values(paths).flatMap((item) => Object.keys(item as object)).length);
  for (const snippet of snippets) assert.match(snippet, /^(curl|const answer|import httpx)(?!.*(undefined|\/\{))/s);
});

/** Opens one operation of each kind after the other, and asks the last one. */
async function openParts(page: Page): Promise<void> {
  for (const id of ["open_game", "get_position", "deals"]) {
    await page.click(`#${id} > summary`);
    await page.locator(`#${id} .opblock-body .snippets`).waitFor();
    assert.equal(await page.locator(".operation[open]").count(), 1);
    await checkAccess(page);
  }
  await page.locator(".execute").click();
  await page.waitForSelector(".live-responses-table");
}

/** Runs a snippet in the page, and returns what it logs. */
async function runSnippet(page: Page, code: string): Promise<string | undefined> {
  const logged = page.waitForEvent("console");
  await page.evaluate(`(async () => { ${code} })()`);
  return (await logged).text();
}

/** Waits until the spectator and the seat have seen so many events; a function, as the page may not evaluate a text. */
async function waitForSeen(page: Page, events: number): Promise<void> {
  await page.waitForFunction(
    (count) => ["seen", "hands"].every((name) => Reflect.get(globalThis, name).length === count),
    events,
  );
}

test("the code of the guide follows a live game as a spectator and as a seat", { skip: withoutBrowser }, async () => {
  const client = createClient({ baseUrl: service.baseUrl });
  const { id, seats: opened, host_token: host } = await openGame(client, { rules: "trebor", players: 4 });
  const [page, watch] = await openPage(browser, `${service.baseUrl}/guide`, false, NARROW);
  const [spectator, seat] = await page.locator("code.language-js").allTextContents();
  await page.evaluate(`
      globalThis.seen = [];
      globalThis.hands = [];
      const id = ${JSON.stringify(id)}, token = ${JSON.stringify(opened[2]?.token)};
      const draw = (game) => seen.push(game.phase), apply = (change) => seen.push(change.phase);
      ${spectator}
      ${seat}
      void follow(id, token, undefined, (event, version, data) => hands.push([event, version, data.position?.state.hands[2].length]));
    `);
  await waitForSeen(page, 1);
  const game = await joinGame(client, { id, token: host });
  await game.deal();
  await waitForSeen(page, 2);
  assert.deepEqual(await page.evaluate("seen"), ["to_deal", "playing"]);
  const [, [event, version, cards]] = await page.evaluate<[unknown, [string, string, number]]>("hands");
  assert.deepEqual([event, cards], ["change", 9]);
  assert.match(version, /^2-[0-9a-f]{8}$/);
  assert.deepEqual(watch.faults, []);
});
