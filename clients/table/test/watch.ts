import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

/** Each way to look at a page: its name, whether it is dark, and the size of the window. */
export const LOOKS = [
  ["light and wide", false, WIDE],
  ["dark and wide", true, WIDE],
  ["light and narrow", false, NARROW],
  ["dark and narrow", true, NARROW],
] as const;

/** What a page did that it should not have done, and how many requests it made. */
export class Watch {
  readonly faults: string[] = [];
  requests = 0;

  constructor(page: Page, origin: string) {
    page.on("pageerror", (error) => this.faults.push(`error: ${error.message}`));
    page.on("console", (message) => {
      // The browser itself logs each answer that is a refusal: of an illegal card, a house rule, a link that was used, a
      // change of an older version, a seat that is not away.
      const refused = /status of (400|401|409|412|422)/.test(message.text());
      if (message.type() === "error" && !refused) this.faults.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (request.url().startsWith("data:")) return;
      this.requests += 1;
      if (!request.url().startsWith(origin)) this.faults.push(request.url());
    });
  }
}

/**
 * Lets what a page waits for pass twenty times as fast: cards and tricks lie a while so that people can look at them.
 * What is five seconds or longer is the limit of a call, and stays.
 */
const HURRY = `{
  const later = setTimeout;
  globalThis.setTimeout = (work, time = 0, ...given) => later(work, time < 5000 ? time / 20 : time, ...given);
}`;

/** Milliseconds that a test waits for a page: generous, because the machine may be busy. */
const PATIENCE = 120_000;

/** Opens a context in which a busy machine fails no test. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

/** Opens a page in a context of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  dark = false,
  viewport: { width: number; height: number } = WIDE,
  more: BrowserContextOptions = {},
): Promise<[Page, Watch]> {
  const colorScheme = dark ? "dark" : "light";
  const context = await openContext(browser, { viewport, colorScheme, ...more });
  const page = await context.newPage();
  const watch = new Watch(page, new URL(url).origin);
  await page.addInitScript(HURRY);
  await page.goto(url);
  return [page, watch];
}

/** Holds that axe finds nothing to mend. */
export async function checkAccess(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    "axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | ')))",
  );
  assert.deepEqual(found, []);
}

/** Holds that nobody has to scroll sideways. */
export async function checkWidth(page: Page): Promise<void> {
  assert(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth"));
}

/** Returns the bytes of the bodies that a page has fetched. */
export function countBytes(page: Page): Promise<number> {
  return page.evaluate<number>(
    "performance.getEntries().reduce((sum, entry) => sum + (entry.encodedBodySize ?? 0), 0)",
  );
}
