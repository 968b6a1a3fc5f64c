import { type TestContext, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, withoutBrowser } from "../../typescript/test/support/browser.ts";
import { Service } from "../../typescript/test/support/service.ts";
import { openPage, type Watch, WIDE } from "./watch.ts";

/** Runs a test with a service of its own and a browser, which end with it; `settings` are the service's. */
export function testAtTable(
  name: string,
  work: (at: { service: Service; browser: Browser }, context: TestContext) => Promise<void>,
  settings: Record<string, string> = {},
): void {
  test(name, { skip: withoutBrowser }, async (context) => {
    await using service = await Service.start(settings);
    const browser = await launch();
    try {
      await work({ service, browser }, context);
    } finally {
      await browser.close();
    }
  });
}

/** Waits until the person may play, or the deal is over. */
export const READY = ".hand.my-turn .card.legal, .after button";

export async function open(browser: Browser, url: string, dark = false, viewport = WIDE): Promise<[Page, Watch]> {
  const [page, watch] = await openPage(browser, url, dark, viewport);
  await page.waitForSelector(READY);
  return [page, watch];
}

/** Changes a rule in the dialog of a new game. */
export async function changeRule(page: Page, name: string, value: string): Promise<void> {
  if (!(await page.locator("details.house[open]").count())) await page.click("details.house summary");
  await page.locator("details.house").getByLabel(name, { exact: true }).fill(value);
}

/** Waits until so many cards are left in the hand. */
export async function waitForCards(page: Page, cards: number): Promise<void> {
  await page.waitForFunction((left) => document.querySelectorAll(".hand .card").length === left, cards);
}
