import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createClient, openGame } from "../src/index.ts";
import { launch, PageServer, withoutBrowser } from "./support/browser.ts";
import { checkGame } from "./support/check.ts";
import { BAD, BadNetwork } from "./support/network.ts";
import { readOneDealRules } from "./support/rules.ts";
import { Service } from "./support/service.ts";

const PAGE = '<!doctype html><title>Test</title><script type="module" src="/page.js"></script>';
const EXAMPLE = new URL("../examples/table-for-four/", import.meta.url);

let browser: Browser | undefined;
before(async () => {
  browser = withoutBrowser ? undefined : await launch();
});
after(() => browser?.close());

/** Opens a page in a window of its own, which shares no connection with the others. */
async function openWindow(url: string): Promise<Page> {
  const context = await browser?.newContext();
  const page = (await context?.newPage()) ?? assert.fail();
  await page.goto(url);
  return page;
}

for (const [what, chances] of [
  ["over a bad network", BAD],
  ["behind a proxy that holds back every event", { hold_stream: 1, lose_answer: 0.05 }],
] as const) {
  test(`four windows play a whole game of another origin ${what}`, { skip: withoutBrowser }, async () => {
    await using pages = await PageServer.start(PAGE, new URL("./support/page.ts", import.meta.url));
    await using service = await Service.start({ STREAM_HEARTBEAT: "0.5", CORS_ORIGINS: pages.origin });
    await using network = await BadNetwork.start(service.baseUrl, chances, 2);
    const client = createClient({ baseUrl: service.baseUrl });
    const game = await openGame(client, { rules: await readOneDealRules(client), players: 4 });
    const reports = await Promise.all(
      game.seats.map(async ({ token }) => {
        const page = await openWindow(pages.origin);
        await page.waitForFunction(() => "play" in window);
        const seat = { baseUrl: network.baseUrl, invitation: { id: game.id, token } };
        return page.evaluate(({ baseUrl, invitation }) => window.play(baseUrl, invitation, 1500), seat);
      }),
    );
    await checkGame(service.baseUrl, game, reports);
  });
}

/** Clicks what a player may click, until the first deal is over: once on a card that is illegal, which says why. */
async function playByClicks(page: Page): Promise<string> {
  for (let tried = false; ; ) {
    await page.waitForFunction(() => /^You|wins|deal/.test(document.getElementById("turn")?.textContent ?? ""));
    const before = (await page.textContent("body")) ?? "";
    const says = (await page.textContent("#turn")) ?? "";
    const illegal = page.locator("#hand .dim");
    if (says.includes("wins") || (says.includes("deal") && before.includes("Side")))
      return says.replace(/.*deal/, "deal");
    if (says.startsWith("You to play") && !tried && (await illegal.count())) {
      tried = true;
      await illegal.first().click();
      await page.waitForFunction(() => /trebor/.test(document.getElementById("problem")?.textContent ?? ""));
      continue;
    }
    if (says === "You to deal.") await page.click("#deal");
    if (says === "You to play.") await page.locator("#hand button:not(.dim)").first().click();
    await page.waitForFunction((body) => document.body.textContent !== body, before);
  }
}

test("the table for four of the examples is played by clicks in four windows", { skip: withoutBrowser }, async () => {
  const html = readFileSync(new URL("index.html", EXAMPLE), "utf8");
  await using pages = await PageServer.start(html, new URL("table.ts", EXAMPLE));
  await using service = await Service.start({ CORS_ORIGINS: pages.origin });
  const opener = await openWindow(`${pages.origin}/?service=${service.baseUrl}`);
  await opener.click("#open");
  await opener.locator("#links a").nth(3).waitFor();
  const links = await opener
    .locator("#links a")
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  const ends = await Promise.all(links.map(async (link) => playByClicks(await openWindow(link))));
  assert.match(ends[0] ?? "", /^Side [01] wins\.$|^deal\.$/);
  assert.equal(new Set(ends).size, 1);
});
