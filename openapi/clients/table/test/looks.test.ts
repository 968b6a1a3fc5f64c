import assert from "node:assert/strict";
import { ask, createClient } from "catch-the-ten";
import type { Page } from "playwright-core";
import { changeRule, open, READY, testAtTable } from "./at-table.ts";
import { MOMENTS, openDeal, sized } from "./moments.ts";
import { checkAccess, checkWidth, LOOKS, openPage, Watch } from "./watch.ts";

interface Measures {
  /** True if the page scrolls. */
  scrolls: boolean;
  /** Cards of the hand that are not in sight. */
  hidden: number;
  /** Labels that lie over another, or under a hint or a refusal. */
  covered: number;
}

function measure(page: Page): Promise<Measures> {
  return page.evaluate(`(() => {
    const of = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
    const { scrollHeight, scrollWidth } = document.documentElement;
    const labels = of(".seat .name, .turn-up, .score, .hints, .text.wrong");
    const over = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    return {
      scrolls: scrollHeight > innerHeight || scrollWidth > innerWidth,
      // A corner of a card that is turned may be out of sight.
      hidden: of(".hand .card").filter(({ top, bottom, left, right }) =>
        top < 0 || bottom - innerHeight > 0.1 * (bottom - top) || left < 0 || right > innerWidth).length,
      covered: labels.filter((one, at) => labels.slice(at + 1).some((other) => over(one, other))).length,
    };
  })()`);
}

/** The sizes at which axe looks: a desk and a phone. */
const LOOKED_AT = ["1280x800", "390x844"];

testAtTable(
  "twelve moments fit every size, and axe finds nothing in any of them",
  async ({ service, browser }, context) => {
    for (const [at, [name, come]] of Object.entries(MOMENTS).entries()) {
      const locale = at % 2 === 0 ? "en" : "de";
      await context.test(`${name}, ${locale}`, async () => {
        const [page, watch] = await openPage(browser, service.baseUrl, false, undefined, { locale });
        await come(page, service.baseUrl);
        for await (const size of sized(page)) {
          assert.deepEqual(await measure(page), { scrolls: false, hidden: 0, covered: 0 }, size);
          if (!LOOKED_AT.includes(size)) continue;
          await checkAccess(page);
          await page.emulateMedia({ colorScheme: "dark" });
          await checkAccess(page);
          await page.emulateMedia({ colorScheme: "light" });
        }
        assert.deepEqual(watch.faults, []);
        await page.context().close();
      });
    }
  },
);

testAtTable("every number of players fits every size", async ({ service, browser }) => {
  const [page] = await openPage(browser, service.baseUrl);
  for (const players of [3, 5, 6, 7]) {
    await openDeal(players, 0)(page, service.baseUrl);
    for await (const size of sized(page))
      assert.deepEqual(await measure(page), { scrolls: false, hidden: 0, covered: 0 }, `${players}, ${size}`);
  }
});

testAtTable(
  "the page speaks German where the browser does, until another language is chosen",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl });
    const dealt = await ask(client, "deals", { rules: "trebor", players: 4, dealer: 3, seed: "arran" });
    const led = dealt.position.legal_cards?.slice(0, 1) ?? [];
    const { position } = await ask(client, "next-states", { state: dealt.position.state, cards: led });
    const context = await browser.newContext({ locale: "de-AT", reducedMotion: "reduce" });
    const page = await context.newPage();
    const watch = new Watch(page, service.baseUrl);
    await page.goto(`${service.baseUrl}/table#position=${position.notation}`);
    await page.waitForSelector(READY);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    assert.equal(await page.title(), "Du bist dran – Catch the Ten");
    await page.locator(".hand .card.barred").first().click();
    await page.getByText(/darfst du nicht spielen: .+ ist gefordert, und du musst bedienen\./).waitFor();
    await page.click("text=Tipp");
    await page.waitForSelector(".hints .advice", { timeout: 30_000 });
    assert.match((await page.locator(".hints .advice").textContent()) ?? "", /^(Spiel|Gib) (Pik|Herz|Karo|Kreuz)-/);
    await checkAccess(page);
    await page.click("text=Neues Spiel");
    await changeRule(page, "Karten", "10");
    await page.getByRole("button", { name: "Geben", exact: true }).click();
    await page.getByRole("alert").getByText("Das sind mehr Karten, als übrig sind.").waitFor();
    assert.doesNotMatch(await page.locator("dialog").innerText(), /\b(cards|players|sides|each)\b/i);
    await page.click("text=Abbrechen");
    await page.click("text=Mehr");
    await page.getByLabel("Sprache").selectOption("English");
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.reload();
    await page.getByRole("button", { name: "New game" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("the count and the links of a live game fit the width of a phone", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  let { position } = await ask(client, "deals", { rules: "trebor", players: 4, dealer: 3, seed: "arran" });
  while (position.phase === "playing") {
    const cards = position.legal_cards?.slice(0, 1) ?? [];
    ({ position } = await ask(client, "next-states", { state: position.state, cards }));
  }
  const fits = (page: Page, selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) => all.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  for (const locale of ["en", "de"]) {
    const context = await browser.newContext({ locale, viewport: { width: 360, height: 640 } });
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/table#position=${position.notation}`);
    await page.waitForSelector(".count table");
    assert.ok(await fits(page, ".count .scroll"), locale);
    await page.locator(".bar nav button").first().click();
    await page.locator("dialog select").nth(3).selectOption("people");
    await page.locator("dialog input[autocomplete=nickname]").fill("Ann");
    await page.locator("dialog button.main").click();
    await page.waitForSelector(".lobby li input");
    assert.ok(await fits(page, ".waiting, .lobby"), locale);
    await context.close();
  }
});

/** Each dialog, by the place of its button in the bar. */
const DIALOGS = { "New game": 0, "How to play": -2, More: -1 } as const;

for (const locale of ["en", "de"]) {
  testAtTable(`every dialog fits a phone, and begins at its top: ${locale}`, async ({ service, browser }) => {
    const context = await browser.newContext({
      locale,
      reducedMotion: "reduce",
      viewport: { width: 360, height: 640 },
    });
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/table`);
    await page.waitForSelector(READY, { timeout: 60_000 });
    for (const [name, at] of Object.entries(DIALOGS)) {
      await page.locator(".bar nav button").nth(at).click();
      const seen = await page
        .locator("dialog[open]")
        .evaluate((dialog) => [dialog.scrollWidth - dialog.clientWidth, dialog.scrollTop]);
      assert.deepEqual(seen, [0, 0], name);
      await checkAccess(page);
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog", { state: "detached" });
    }
  });
}

for (const [name, dark, viewport] of LOOKS) {
  testAtTable(`axe finds nothing at the table: ${name}`, async ({ service, browser }) => {
    const [page, watch] = await open(browser, `${service.baseUrl}/table`, dark, viewport);
    await checkAccess(page);
    await checkWidth(page);
    await page.click("text=New game");
    await page.waitForSelector("dialog[open]");
    await changeRule(page, "strip", "6X");
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.waitForSelector("[aria-invalid=true]:focus");
    await checkAccess(page);
    await checkWidth(page);
    assert.deepEqual(watch.faults, []);
  });
}
