// Plays a game of a row of the covering array, tests/programs/pairwise, by clicks: each person has a window, and somebody
// looks on. What to play comes on standard input, and what the pages said at the end goes to standard output.
import assert from "node:assert/strict";
import { createClient, type GameSetup, joinGame, type OpenedGame } from "catch-the-ten";
import type { Page } from "playwright-core";
import { launch } from "../../typescript/test/support/browser.ts";
import { readTask } from "../../typescript/test/support/task.ts";
import { openPage, type Watch, WIDE } from "./watch.ts";

interface Task {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly opening: GameSetup;
  readonly opened: OpenedGame;
  readonly resigns: boolean;
  /** The statuses that the service may answer with. */
  readonly refused: readonly number[];
}

const OVER = ".count h2:has-text('Game over')";
const MINE = ".hand.my-turn .card.legal";
const DEAL = ".lobby > button, .count button.main:has-text('Next deal')";

const { url, headers, opening, opened, resigns, refused } = await readTask<Task>();
const { Origin: _, ...sent } = headers;
const penalised = opening.on_revoke === "penalise";
let slipped = false;
let verdict: unknown = null;

const browser = await launch();
const persons = opened.seats.filter(({ computer }) => computer === null);
const windows: [Page, Watch][] = [];
for (const own of [...persons, undefined]) {
  const link = `${url}/table#game=${opened.id}${own ? `&seat=${own.seat}&token=${own.token}` : ""}`;
  windows.push(await openPage(browser, link, false, WIDE, { extraHTTPHeaders: sent }));
}
for (const [page] of windows) {
  page.on("response", async (response) => {
    if (response.status() === 422) verdict = (await response.json()).verdict;
  });
}
const pages = windows.map(([page]) => page);
await Promise.all(pages.map(play));
const said = await Promise.all(pages.map((page) => page.locator(".count tbody td").allTextContents()));
for (const totals of said) assert.deepEqual(totals, said[0]);
for (const page of pages) {
  assert.match((await page.locator(".proof").textContent()) ?? "", /^This deal was fair/);
}
const faults = windows.flatMap(([, watch]) => watch.faults);
const allowed = new RegExp(`status of (${refused.join("|")}) `);
assert.deepEqual(
  faults.filter((fault) => !allowed.test(fault)),
  [],
);
await browser.close();
console.log(JSON.stringify({ opened, slipped, verdict, said: said[0] }));

/** Lets the host resign for a seat, and waits until every window shows it. */
async function resign(): Promise<void> {
  const fetch = (request: Request): Promise<Response> => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return globalThis.fetch(request);
  };
  const client = createClient({ baseUrl: url, fetch });
  using host = await joinGame(client, { id: opened.id, token: opened.host_token });
  await host.resign({ seat: 0 });
  await Promise.all(pages.map((page) => page.waitForSelector(OVER)));
}

/** Plays what is to play in a window, and deals, until the game is over. */
async function play(page: Page): Promise<void> {
  let most = 0;
  for (;;) {
    await page.waitForSelector(`${OVER}, ${MINE}, ${DEAL}`, { timeout: 0 });
    if (await page.locator(OVER).count()) return;
    if (await page.locator(DEAL).count()) {
      await page.locator(DEAL).click();
      await page.waitForSelector(DEAL, { state: "detached" });
      continue;
    }
    const left = await page.locator(".hand .card").count();
    most = Math.max(most, left);
    if (resigns && 2 * left <= most) {
      await resign();
      continue;
    }
    const barred = page.locator(".hand.my-turn .card.barred");
    if (!slipped && (!penalised || 2 * left <= most) && (await barred.count())) {
      slipped = true;
      await barred.first().click();
      await page.waitForSelector(penalised ? ".count" : ".text.wrong");
    } else {
      await page.locator(MINE).first().click();
      await page.waitForFunction(
        (held) => document.querySelectorAll(".hand .card").length !== held || document.querySelector(".count"),
        left,
      );
    }
  }
}
