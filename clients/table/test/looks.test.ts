import assert from "node:assert/strict";
import { ask, createClient, joinGame, openGame } from "catch-the-ten";
import type { Page } from "playwright-core";
import { changeRule, open, READY, testAtTable } from "./at-table.ts";
import { MOMENTS, openDeal, sized } from "./moments.ts";
import { checkAccess, checkWidth, LOOKS, openContext, openPage, Watch } from "./watch.ts";

/** Lists by boxes what is wrong with how a page looks: what is covered, cut, scrolled sideways, or too small to hit. */
function findFlaws(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)]
      .map((one) => ({ name: one.className + " " + one.textContent.slice(0, 20), one, ...one.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => width > 0 && height > 0);
    // A part of an outcome that is scrolled out of sight covers nothing.
    const bottomOf = ({ one, bottom }) => Math.min(bottom, one.closest(".outcome")?.getBoundingClientRect().bottom ?? bottom);
    const over = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(bottomOf(a), bottomOf(b)) - Math.max(a.top, b.top) > 2;
    const isIn = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    const labels = all(".seat .name, .turn-up, .score, .say, .hand, .after, .outcome > :is(h2, p), .outcome :is(.made, .honours), .trick, .lobby h2, .lobby > :is(p, button), .lobby .seats li > *, .drawn li");
    const [felt] = all(".felt");
    const { scrollWidth } = document.documentElement;
    const window = { left: 0, top: -Infinity, right: innerWidth, bottom: Infinity };
    const top = document.querySelector("dialog[open]") ?? document;
    // Where letters are twice as large, one scrolls.
    const isUsual = getComputedStyle(document.documentElement).fontSize === "16px" && innerHeight >= 600;
    return [
      ...labels.flatMap((one, at) => labels.slice(at + 1).filter((other) => over(one, other))
        .map((other) => one.name + " lies over " + other.name)),
      ...all(".felt").filter(({ width }) => width < 280).map(() => "the felt is narrow"),
      ...all(".seat .name, .played").filter((one) => !isIn(one, felt)).map(({ name }) => name + " leaves the felt"),
      ...all(".played").filter((one) => !isIn(one, all(".trick")[0])).map(({ name }) => name + " leaves the trick"),
      ...all(".hand .card, .seat .name, .turn-up, .score, .say").filter((one) => !isIn(one, window)).map(({ name }) => name + " is cut"),
      ...all(".turn-up, .score, .say, .outcome, .after, .count, main, dialog, .lobby").filter(({ one }) => one.scrollWidth > one.clientWidth + 1)
        .map(({ name }) => name + " scrolls sideways"),
      ...all(".say, .outcome, .after, .turn-up").filter(({ one }) => isUsual && one.scrollHeight > one.clientHeight + 1)
        .map(({ name }) => name + " scrolls"),
      ...all("main *, dialog *").filter(({ one }) => [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim())
        && !one.closest(".said, .calls, svg") && parseFloat(getComputedStyle(one).fontSize) < 14)
        .map(({ name }) => name + " is small"),
      ...(isUsual && innerWidth >= 360 && document.querySelector(".bar")?.getBoundingClientRect().height > 52 ? ["the bar has two rows"] : []),
      ...(scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
      ...all("button, select, summary, input").filter(({ one, width, height }) => top.contains(one) && Math.min(width, height) < 23.9)
        .map(({ name }) => name + " is too small to hit"),
    ];
  })()`);
}

/** Lists the cards of a hand, and names, that are not whole in sight; where the text is large, one scrolls to them. */
function findHidden(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(".hand .face, .seat b, .score")]
    .filter((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top < 0 || bottom - innerHeight > 1 || one.scrollWidth > one.clientWidth + 1 && one.matches("b");
    })
    .map((one) => one.getAttribute("class") + " " + one.textContent)`);
}

/** The sizes at which axe looks: a desk and a phone. */
const LOOKED_AT = ["1280x800", "390x844"];

testAtTable(
  "every moment fits every size, and axe finds nothing in any of them",
  async ({ service, browser }, context) => {
    for (const [at, [name, come]] of Object.entries(MOMENTS).entries()) {
      const locale = at % 2 === 0 ? "en" : "de";
      await context.test(`${name}, ${locale}`, async () => {
        const [page, watch] = await openPage(browser, service.baseUrl, false, undefined, { locale });
        await come(page, service.baseUrl);
        for await (const size of sized(page)) {
          assert.deepEqual([await findFlaws(page), await findHidden(page)], [[], []], size);
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
  for (const players of [2, 3, 4, 5, 6, 7, 8]) {
    // All but the last card of a trick lie on the table.
    await openDeal(players, players - 1)(page, service.baseUrl);
    for await (const size of sized(page))
      assert.deepEqual([await findFlaws(page), await findHidden(page)], [[], []], `${players}, ${size}`);
  }
});

testAtTable("a deal fits every width from 320 to 1,920 px", async ({ service, browser }) => {
  const [page] = await openPage(browser, service.baseUrl);
  await openDeal(6, 5)(page, service.baseUrl);
  for (let width = 320; width <= 1920; width += 32) {
    for (const height of [Math.round(width * 0.6), 800, 1180]) {
      if (height < 375) continue; // lower than a phone on its side
      await page.setViewportSize({ width, height });
      assert.deepEqual([await findFlaws(page), await findHidden(page)], [[], []], `${width}x${height}`);
    }
  }
});

testAtTable("long names and text twice as large cover and cut nothing", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  for (const players of [2, 4, 6, 8]) {
    const names = Array.from({ length: players }, (_, seat) => ({ name: `Wilhelmina-${seat} of the Western Isles` }));
    const { id, seats } = await openGame(client, { rules: "trebor", players, first_dealer: 0, seats: names });
    const game = await joinGame(client, { id, token: seats[0]?.token });
    await game.deal();
    const url = `${service.baseUrl}/table#game=${id}&seat=0&token=${seats[0]?.token}`;
    const [page] = await openPage(browser, url, false, undefined, { locale: players % 4 === 0 ? "de" : "en" });
    await page.waitForSelector(".hand .card");
    for (const percent of [100, 200]) {
      await page.evaluate(`document.documentElement.style.fontSize = "${percent}%"`);
      for await (const size of sized(page))
        assert.deepEqual(await findFlaws(page), [], `${players}, ${percent} %, ${size}`);
      await checkAccess(page);
    }
    game.close();
    await page.context().close();
  }
});

testAtTable(
  "the page speaks German where the browser does, until another language is chosen",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl });
    const dealt = await ask(client, "deals", { rules: "trebor", players: 4, dealer: 3, seed: "arran" });
    const led = dealt.position.legal_cards?.slice(0, 1) ?? [];
    const { position } = await ask(client, "next-states", { state: dealt.position.state, cards: led });
    const context = await openContext(browser, { locale: "de-AT" });
    const page = await context.newPage();
    const watch = new Watch(page, service.baseUrl);
    await page.goto(`${service.baseUrl}/table#position=${position.notation}`);
    await page.waitForSelector(READY);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    assert.equal(await page.title(), "Du bist dran – Catch the Ten");
    await page.locator(".hand .card.barred").first().click();
    await page.getByText(/darfst du nicht spielen: .+ ist gefordert, und du musst bedienen\./).waitFor();
    await page.click("text=Tipp");
    await page.waitForSelector(".hints .advice");
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
    const context = await openContext(browser, { locale, viewport: { width: 360, height: 640 } });
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/table#position=${position.notation}`);
    await page.locator(".after button").first().click();
    await page.waitForSelector("table.count");
    assert.ok(await fits(page, "dialog"), locale);
    await page.keyboard.press("Escape");
    await page.locator(".bar nav button").first().click();
    await page.locator("dialog select").first().selectOption("people");
    await page.locator("dialog input[autocomplete=nickname]").fill("Ann");
    await page.locator("dialog button.main").click();
    await page.waitForSelector(".lobby > .link input");
    assert.ok(await fits(page, ".waiting, .lobby"), locale);
    await context.close();
  }
});

/** Each dialog, by the place of its button in the bar. */
const DIALOGS = { "New game": 0, "How to play": -2, More: -1 } as const;

for (const locale of ["en", "de"]) {
  testAtTable(`every dialog fits a phone, and begins at its top: ${locale}`, async ({ service, browser }) => {
    const context = await openContext(browser, {
      locale,
      viewport: { width: 360, height: 640 },
    });
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/table`);
    await page.waitForSelector(READY);
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
