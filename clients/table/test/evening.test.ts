import assert from "node:assert/strict";
import { createClient, type GameSetup, joinGame, openGame } from "catch-the-ten";
import type { Locator, Page } from "playwright-core";
import { changeRule, READY, testAtTable } from "./at-table.ts";
import { openPage } from "./watch.ts";

const NAMES = ["Ann", "Bea", "Cem", "Dot"];

/** Plays with `act` until the deal is over. */
async function playDeal(page: Page, act: () => Promise<void>): Promise<void> {
  for (;;) {
    await page.waitForSelector(READY);
    const left = await page.locator(".hand .card").count();
    if (left === 0) return;
    await act();
    await page.waitForFunction((cards) => document.querySelectorAll(".hand .card").length < cards, left);
  }
}

/** Goes by the tabulator key to one of what is found. */
async function tabTo(page: Page, found: Locator): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    if (await found.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no key leads to ${found}`);
}

testAtTable(
  "of four windows two are closed, come back to their seats, and the deal is played to its end",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl });
    const { id, seats } = await openGame(client, {
      rules: "britannica",
      players: 4,
      first_dealer: 3,
      seats: NAMES.map((name) => ({ name })),
    });
    const sit = async (seat: number): Promise<Page> => {
      const link = `${service.baseUrl}/table#game=${id}&seat=${seat}&token=${seats[seat]?.token}`;
      return (await openPage(browser, link))[0];
    };
    const pages = await Promise.all(NAMES.map((_, seat) => sit(seat)));
    await pages[3]?.getByRole("button", { name: "Start the game" }).click();
    await Promise.all(pages.map((page) => page.waitForSelector(".hand .card")));
    await pages[0]?.locator(".hand .card.legal").first().click();
    for (const seat of [1, 2]) {
      const closed = pages[seat] as Page;
      const context = closed.context();
      await closed.close();
      if (seat === 1) await pages[3]?.getByText("Bea is not here; the game waits.").waitFor();
      const again = await context.newPage();
      await again.goto(`${service.baseUrl}/table`);
      await again.locator(".games a").first().click();
      await again.waitForSelector(".hand .card");
      pages[seat] = again;
    }
    await Promise.all(pages.map((page) => playDeal(page, () => page.locator(".hand .card.legal").first().click())));
    const counts = await Promise.all(pages.map((page) => page.locator(".outcome .made").allTextContents()));
    for (const count of counts) assert.deepEqual(count, counts[0]);
  },
);

testAtTable(
  "the computer plays three cards for who is away, and then the seat, until its owner is back",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl });
    const opened = { rules: "britannica", players: 2, first_dealer: 1, move_seconds: 5 } as const;
    const { id, seats, host_token: host } = await openGame(client, opened);
    using dealer = await joinGame(client, { id, token: host });
    await dealer.deal();
    // Nobody plays: the one who is first away three times is played for from then on.
    const away = seats.map(async ({ seat, token }) => {
      const [page, watch] = await openPage(browser, `${service.baseUrl}/table#game=${id}&seat=${seat}&token=${token}`);
      const back = page.locator(".text").getByRole("button", { name: "Play again myself" });
      await back.waitFor();
      return { page, back, watch };
    });
    const { page, back, watch } = await Promise.any(away);
    await back.click();
    await back.waitFor({ state: "detached" });
    await page.locator(".hand.my-turn .card.legal").first().waitFor();
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("a game by house rules is opened and played to its end by keyboard alone", async ({ service, browser }) => {
  const [page, watch] = await openPage(browser, `${service.baseUrl}/table`);
  await page.waitForSelector(READY);
  await tabTo(page, page.getByRole("button", { name: "New game" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.locator(".house summary"));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("deals", { exact: true }));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog", { state: "detached" });
  await playDeal(page, async () => {
    await tabTo(page, page.locator(".hand .card"));
    for (let step = 0; step < 9; step += 1) {
      if (await page.evaluate(() => document.activeElement?.matches(".legal"))) break;
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("Enter");
  });
  await page.getByRole("heading", { name: /^Game over/ }).waitFor();
  await tabTo(page, page.locator(".after button.main"));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  assert.deepEqual(watch.faults, []);
});

testAtTable("a whole game is played by touch on a phone", async ({ service, browser }) => {
  const viewport = { width: 390, height: 844 };
  const [page, watch] = await openPage(browser, `${service.baseUrl}/table`, false, viewport, {
    hasTouch: true,
    isMobile: true,
  });
  await page.waitForSelector(READY);
  await page.getByRole("button", { name: "New game" }).tap();
  await changeRule(page, "deals", "2");
  await page.getByRole("button", { name: "Deal", exact: true }).tap();
  await page.waitForSelector("dialog", { state: "detached" });
  const over = page.getByRole("heading", { name: /^Game over/ });
  for (let deal = 0; deal < 2; deal += 1) {
    await playDeal(page, async () => {
      const card = page.locator(".hand .card.legal").first();
      const { width = 0, height = 0 } = (await card.boundingBox()) ?? {};
      // The middle of a card lies under the next one, and the corners of the box about a card that is askew beside it.
      await card.tap({ position: { x: width / 4, y: height / 2 } });
    });
    await page.waitForSelector(".outcome h2");
    if (await over.count()) break;
    await page.getByRole("button", { name: "Next deal" }).tap();
    // Its button is there until the next deal has come, and would be taken for the end of that one.
    await page.waitForSelector(".outcome", { state: "detached" });
  }
  await over.waitFor();
  assert.deepEqual(watch.faults, []);
});

testAtTable("who comes late to a live game finds all its deals, by their record", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const computer = { computer: "easy" } as const;
  // Honours alone count, 30 of them, so that no side wins in the first deal.
  const opened = {
    rules: "britannica",
    players: 4,
    first_dealer: 3,
    seats: [{ name: "Ann" }, computer, computer, computer],
  };
  const { id, seats, host_token: host } = await openGame(client, opened as GameSetup);
  const token = seats[0]?.token;
  using ann = await joinGame(client, { id, token });
  using dealer = await joinGame(client, { id, token: host });
  await dealer.deal();
  for await (const { state } of ann.changes()) {
    if (state.phase === "deal_over") break;
    const [card] = ann.legalCards;
    if (card !== undefined) await ann.play(card);
  }
  const points = ann.state.position?.totals ?? assert.fail();
  await dealer.refresh();
  await dealer.deal();
  const [page, watch] = await openPage(browser, `${service.baseUrl}/table#game=${id}&seat=0&token=${token}`);
  await page.waitForSelector(READY);
  await page.click("text=More");
  await page.getByRole("button", { name: "All deals so far" }).click();
  const first = page.getByRole("row", { name: /^Deal 1/ });
  await first.waitFor();
  assert.deepEqual(await first.getByRole("cell").allTextContents(), points.map(String));
  assert.deepEqual(watch.faults, []);
});
