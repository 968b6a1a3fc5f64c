import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ask, cardName, createClient, joinGame, openGame } from "catch-the-ten";
import type { Browser, Page } from "playwright-core";
import { testAtTable } from "./at-table.ts";
import { checkAccess, checkWidth, LOOKS, openPage, type Watch, WIDE } from "./watch.ts";

/** Waits until the person may play, or the deal is over. */
const READY = ".hand.my-turn .card.legal, .count button";

async function open(browser: Browser, url: string, dark = false, viewport = WIDE): Promise<[Page, Watch]> {
  const [page, watch] = await openPage(browser, url, dark, viewport);
  await page.waitForSelector(READY);
  return [page, watch];
}

/** Changes a rule in the dialog of a new game. */
async function changeRule(page: Page, name: string, value: string): Promise<void> {
  if (!(await page.locator("details.house[open]").count())) await page.click("details.house summary");
  await page.locator("details.house").getByLabel(name, { exact: true }).fill(value);
}

const SIZES = [
  [1280, 800],
  [1366, 625],
  [1920, 969],
  [390, 844],
  [360, 640],
  [844, 390],
] as const;

/** Returns if the page scrolls, how many cards of the hand are not in sight, and how many labels lie over another. */
function measure(page: Page): Promise<{ scrolls: boolean; hidden: number; covered: number }> {
  return page.evaluate(`(() => {
    const of = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
    const { scrollHeight, scrollWidth } = document.documentElement;
    const labels = of(".seat .name, .turn-up, .score");
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

/** Waits until so many cards are left in the hand. */
async function waitForCards(page: Page, cards: number): Promise<void> {
  await page.waitForFunction((left) => document.querySelectorAll(".hand .card").length === left, cards);
}

testAtTable("a whole deal is played by clicks against the computer", async ({ service, browser }, context) => {
  const began = performance.now();
  const [page, watch] = await open(browser, `${service.baseUrl}/table`);
  context.diagnostic(`first turn after ${Math.round(performance.now() - began)} ms`);
  const loaded = await page.evaluate("performance.getEntriesByType('paint').at(-1)?.startTime");
  context.diagnostic(`first paint after ${Math.round(Number(loaded))} ms, ${watch.requests} requests`);
  // From here on the same cards are played every time.
  const { position } = await ask(createClient({ baseUrl: service.baseUrl }), "deals", {
    rules: "trebor",
    players: 4,
    dealer: 3,
    seed: "arran",
  });
  await page.goto(`${service.baseUrl}/table#position=${position.notation}`);
  await page.waitForSelector(`.hand.my-turn .card.legal[aria-label="${cardName(position.legal_cards?.[0] ?? "6C")}"]`);
  for (let card = 0; card < 9; card += 1) {
    await page.waitForSelector(READY, { timeout: 30_000 });
    await page.locator(".hand .card.legal").first().click();
  }
  await page.waitForSelector(".count table", { timeout: 30_000 });
  assert.match((await page.locator(".count h2").textContent()) ?? "", /Deal 1 is over|Game over/);
  await page.click("text=What would have been better?");
  await page.waitForSelector(".review", { timeout: 60_000 });
  await checkAccess(page);
  const cards = await page.evaluate<number>(
    `fetch("/v1/positions/" + new URLSearchParams(location.hash.slice(1)).get("position")).then(r => r.json())
      .then(p => p.state.taken.flat().length)`,
  );
  assert.equal(cards, 36);
  await page.click("text=Next deal");
  await page.waitForSelector(".hand.my-turn .card.legal", { timeout: 30_000 });
  const sent = await page.evaluate<number>(
    "performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)",
  );
  context.diagnostic(`${sent} bytes in ${watch.requests} requests for a deal`);
  assert.deepEqual(watch.faults, []);
});

testAtTable(
  "a game by a house rule is played to its end by clicks, and then a new one",
  async ({ service, browser }, context) => {
    const began = performance.now();
    const [page, watch] = await open(browser, `${service.baseUrl}/table`);
    await page.click("text=New game");
    await changeRule(page, "target", "45");
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.waitForSelector("dialog", { state: "detached" });
    const winner = page.getByRole("heading", { name: /^Game over/ });
    let deals = 1;
    // The game may be won in the middle of a deal.
    for (await page.waitForSelector(READY); !(await winner.count()); await page.waitForSelector(READY)) {
      const left = await page.locator(".hand .card").count();
      if (left > 0) {
        await page.locator(".hand .card.legal").first().click();
        await page.waitForFunction((held) => document.querySelectorAll(".hand .card").length < held, left);
      } else {
        await page.click("text=Next deal");
        await waitForCards(page, 9);
        deals += 1;
      }
    }
    const won = (await winner.textContent())?.replace(/^Game over: | won$/g, "");
    const totals = await page
      .locator(".count tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent)));
    const total = totals.find(([side]) => side === won)?.at(-1);
    assert(Number(total) >= 45, `${won} won with ${total}`);
    await page.locator(".count").getByRole("button", { name: "New game" }).click();
    assert.equal(await page.locator("details.house small").textContent(), "changed: target");
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.waitForSelector(".hand.my-turn .card.legal");
    assert.deepEqual(await page.locator(".score tbody td:last-child").allTextContents(), ["0", "0"]);
    context.diagnostic(`${deals} deals in ${Math.round(performance.now() - began)} ms: ${won} won with ${total}`);
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable(
  "what is wrong with a house rule is said beside it, and the game goes by the rules",
  async ({ service, browser }) => {
    const [page, watch] = await open(browser, `${service.baseUrl}/table`);
    /** Returns what screen readers say to a field: what it means, and what is wrong. */
    const readHelp = (name: string) =>
      page
        .locator("details.house")
        .getByLabel(name, { exact: true })
        .evaluate((field) =>
          (field.getAttribute("aria-describedby") ?? "")
            .split(" ")
            .map((id) => document.getElementById(id)?.textContent),
        );
    const deal = () => page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.click("text=New game");
    await changeRule(page, "cards", "10");
    await deal();
    await page.waitForSelector("[aria-invalid=true]:focus");
    const [meaning, fault] = await readHelp("cards");
    assert.equal(meaning, "Cards in each hand.");
    assert.match(fault ?? "", /40/);
    assert.equal(await page.locator("dialog [role=alert]").textContent(), fault);
    await changeRule(page, "cards", "8");
    await changeRule(page, "jack", "12");
    await page.getByLabel("void", { exact: true }).selectOption("trump_if_able");
    await deal();
    await page.waitForSelector("dialog", { state: "detached" });
    await waitForCards(page, 8);
    const { rules } = JSON.parse(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("state") ?? "{}");
    assert.deepEqual(Object.keys(rules.changes).sort(), ["honours", "tables", "void"]);
    await page.reload();
    await page.waitForSelector(READY);
    await page.click("text=New game");
    assert.equal(await page.locator("details.house small").textContent(), "changed: tables, void, honours");
    await page.click("details.house summary");
    await page.click("text=All as printed");
    assert.equal(await page.locator("details.house small").textContent(), "none");
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("an illegal card says why, hints give reasons, and every call is shown", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const dealt = await ask(client, "deals", { rules: "trebor", players: 4, dealer: 3, seed: "arran" });
  const led = dealt.position.legal_cards?.slice(0, 1) ?? [];
  // Seat 1 holds cards of the suit that is led, and others.
  const { position } = await ask(client, "next-states", { state: dealt.position.state, cards: led });
  const [page, watch] = await open(browser, `${service.baseUrl}/table#position=${position.notation}`);
  const seats = await page.locator(".seat .name").allTextContents();
  assert.equal(seats.length, 4);
  seats.forEach((seat, number) => void assert.match(seat, new RegExp(`^(Seat ${number}|Youseat ${number})\\D`)));
  await page.locator(".hand .card.barred").first().click();
  await page.waitForSelector(".text.wrong");
  assert.match((await page.locator(".text.wrong").textContent()) ?? "", /may not play.*follow suit.*trebor/s);
  await page.click("text=Hint");
  await page.waitForSelector(".hints li", { timeout: 30_000 });
  assert.notEqual(await page.locator(".hints .why").first().textContent(), "");
  assert.equal(await page.locator(".card.advised").count(), 1);
  await page.click("text=Show the calls");
  await page.locator(".calls summary").first().click();
  assert.match((await page.locator(".calls pre").first().textContent()) ?? "", /curl -s/);
  await checkAccess(page);
  assert.deepEqual(watch.faults, []);
});

testAtTable("the game is played by keyboard alone", async ({ service, browser }) => {
  const [page, watch] = await open(browser, `${service.baseUrl}/table`);
  const before = await page.locator(".hand .card").count();
  await page.locator(".hand .card").first().focus();
  for (let step = 0; step < before; step += 1) {
    if (await page.evaluate("document.activeElement.classList.contains('legal')")) break;
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Enter");
  await waitForCards(page, before - 1);
  assert.notEqual(await page.locator("[role=status]").textContent(), "");
  assert.deepEqual(watch.faults, []);
});

testAtTable(
  "four people play a live game of one deal in four windows, and somebody looks on",
  async ({ service, browser }, context) => {
    const [first, watch] = await open(browser, `${service.baseUrl}/table`);
    await first.click("text=New game");
    await first.selectOption("label:has-text('other seats') select", "people");
    await first.getByLabel("Your name").fill("Ann");
    // The game ends with its first deal, and not before its last trick.
    await changeRule(first, "target", "1000");
    await changeRule(first, "deals", "1");
    await first.getByRole("button", { name: "Deal", exact: true }).click();
    await first.waitForSelector(".lobby");
    await checkAccess(first);
    await first.locator(".lobby select").first().selectOption("easy");
    await first.locator(".lobby li").first().getByText("Seat 1", { exact: true }).waitFor();
    await first.locator(".lobby select").first().selectOption("");
    await first.locator(".lobby li").first().locator("input").waitFor();
    const links = await first
      .locator(".lobby input")
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    assert.equal(links.length, 5);
    const pages = [first];
    for (const [at, link] of links.slice(0, 4).entries()) {
      const [page] = await openPage(browser, link);
      await page.waitForSelector(".lobby");
      const name = ["Bea", "Cem", "Dot"][at];
      if (name !== undefined) {
        await page.getByLabel("Your name").fill(name);
        await page.getByRole("button", { name: "Take the seat" }).click();
        await first.getByText(`${name} has come.`).waitFor();
      }
      await page.getByText("To look on").waitFor();
      assert(!page.url().includes("token"));
      pages.push(page);
    }
    await checkAccess(first);
    const [spectator] = pages.slice(-1) as [Page];
    assert.match((await spectator.locator(".lobby h2").textContent()) ?? "", /look on/);
    await first.getByRole("button", { name: "Deal", exact: true }).click();
    const play = async (page: Page): Promise<void> => {
      for (let card = 0; card < 9; card += 1) {
        await page.waitForSelector(".hand.my-turn .card.legal", { timeout: 60_000 });
        await page.locator(".hand .card.legal").first().click();
        await waitForCards(page, 8 - card);
      }
    };
    await first.reload();
    await first.waitForSelector(".hand .card");
    for (const [seat, page] of pages.slice(0, 4).entries()) {
      await page.locator(".seat.me").getByText(`seat ${seat} ·`).waitFor();
      assert.equal(await page.locator(".seat").getByText("Ann").count(), seat === 0 ? 0 : 1);
    }
    await Promise.all(pages.slice(0, 4).map(play));
    const counts = pages.map(async (page) => {
      await page.waitForSelector(".count tbody", { timeout: 30_000 });
      return page.locator(".count tbody td").allTextContents();
    });
    const [one, ...others] = await Promise.all(counts);
    for (const other of others) assert.deepEqual(other, one);
    for (const page of pages) {
      const end = (await page.getByRole("heading", { name: /^Game over/ }).textContent()) ?? "";
      assert.match(end, page === spectator ? /: Seats \d, \d won$/ : /: (Your side|Seats \d, \d) won$/);
    }
    for (const page of pages) assert.match((await page.locator(".proof").textContent()) ?? "", /^The deal is proved/);
    assert.equal(await spectator.getByText("What would have been better?").count(), 0);
    await first.click("text=What would have been better?");
    await first.waitForSelector(".review", { timeout: 60_000 });
    context.diagnostic(`${watch.requests} requests of the first window`);
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("a live game that somebody resigned says who has won", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const { id, seats } = await openGame(client, { rules: "trebor", players: 4, first_dealer: 3 });
  const [token, , , dealing] = seats.map((seat) => seat.token);
  const [page, watch] = await openPage(browser, `${service.baseUrl}/table#game=${id}&seat=0&token=${token}`);
  await page.waitForSelector(".lobby");
  using dealer = await joinGame(client, { id, token: dealing });
  await dealer.deal();
  await waitForCards(page, 9);
  await dealer.resign();
  assert.equal(await page.locator(".count h2").textContent(), "Game over: Your side won");
  assert.deepEqual(watch.faults, []);
});

testAtTable(
  "a live game goes on after a deal where questions need a key, which no page has",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl, apiKey: "key" });
    // Honours alone count, 30 of them, so that no side wins in the first deal.
    const { id, seats } = await openGame(client, { rules: "britannica", players: 4, first_dealer: 3 });
    const pages: Page[] = [];
    for (const { seat, token } of seats)
      pages.push((await openPage(browser, `${service.baseUrl}/table#game=${id}&seat=${seat}&token=${token}`))[0]);
    const [next, , , dealer] = pages as [Page, Page, Page, Page];
    await dealer.getByRole("button", { name: "Deal", exact: true }).click();
    const play = async (page: Page): Promise<void> => {
      for (let left = 9; left > 0; left -= 1) {
        await page.locator(".hand.my-turn .card.legal").first().click({ timeout: 60_000 });
        await waitForCards(page, left - 1);
      }
    };
    await Promise.all(pages.map(play));
    for (const page of pages) {
      await page.waitForSelector(".count tbody");
      assert.deepEqual(await page.locator(".count thead th").allTextContents(), ["Side", "Deal", "Game"]);
    }
    await next.locator(".count button.main").click();
    await waitForCards(next, 9);
  },
  { API_KEYS: `arran:${createHash("sha256").update("key").digest("hex")}` },
);

testAtTable(
  "a seat is kept when its window is closed, and a link to a seat is for one person",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl });
    const { id, seats } = await openGame(client, { rules: "trebor", players: 4, seats: [{ name: "Ann" }, {}, {}, {}] });
    const link = `${service.baseUrl}/table#game=${id}&token=${seats[2]?.token}`;
    const [page, watch] = await openPage(browser, link);
    await page.getByRole("heading", { name: "You are invited to play with Ann" }).waitFor();
    await page.getByLabel("Your name").fill("Cem");
    await checkAccess(page);
    await page.getByRole("button", { name: "Take the seat" }).click();
    await page.getByRole("heading", { name: "You sit in seat 2" }).waitFor();
    await assert.rejects(joinGame(client, { id, token: seats[2]?.token }), { code: "unknown_token" });
    await page.click("text=Show the calls");
    assert.doesNotMatch(await page.evaluate<string>("document.body.innerHTML"), /"token": "[^…]/);
    const context = page.context();
    await page.close();
    const again = await context.newPage();
    await again.goto(link);
    await again.getByRole("heading", { name: "You sit in seat 2" }).waitFor();
    await again.goto(`${service.baseUrl}/table`);
    await again.click("text=Your games");
    await again.getByRole("link", { name: /^Ann, Seat 1, Cem/ }).click();
    await again.getByRole("heading", { name: "You sit in seat 2" }).waitFor();
    const [other] = await openPage(browser, link);
    await other.getByText("This link was used already").waitFor();
    await other.getByRole("link", { name: "Look on" }).click();
    await other.getByRole("heading", { name: "You look on" }).waitFor();
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable(
  "who opened a game keeps it, invites again, and sits at two seats of it in two windows",
  async ({ service, browser }) => {
    const [first, watch] = await open(browser, `${service.baseUrl}/table`);
    await first.click("text=New game");
    await first.selectOption("label:has-text('other seats') select", "people");
    await first.getByLabel("Your name").fill("Ann");
    await first.getByRole("button", { name: "Deal", exact: true }).click();
    const link = await first.locator(".lobby li input").first().inputValue();
    const second = await first.context().newPage();
    await second.goto(link);
    await second.getByRole("button", { name: "Take the seat" }).click();
    await second.getByRole("heading", { name: "You sit in seat 1" }).waitFor();
    await first.getByRole("button", { name: "New link" }).waitFor();
    const address = first.url();
    await first.close();
    const third = await second.context().newPage();
    await third.goto(address);
    await third.getByRole("heading", { name: "You sit in seat 0" }).waitFor();
    await third.getByRole("button", { name: "New link" }).click();
    const fresh = await third.locator(".lobby li input").first().inputValue();
    assert.notEqual(fresh, link);
    const [other] = await openPage(browser, fresh);
    await other.getByLabel("Your name").fill("Bea");
    await other.getByRole("button", { name: "Take the seat" }).click();
    await third.getByText("Bea has come.").waitFor();
    await third.click("text=Your seat on another device");
    const own = await third.getByLabel("Your seat", { exact: true }).inputValue();
    const [elsewhere] = await openPage(browser, own);
    await elsewhere.getByRole("heading", { name: "You sit in seat 0" }).waitFor();
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("the whole hand is in sight at every size, also with a hint", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  for (const players of [2, 4, 8]) {
    const { position } = await ask(client, "deals", { rules: "trebor", players, dealer: players - 1, seed: "arran" });
    for (const [width, height] of SIZES) {
      const url = `${service.baseUrl}/table#position=${position.notation}`;
      const [page] = await openPage(browser, url, false, { width, height });
      await page.waitForSelector(READY);
      if (players === 4) {
        await page.click("text=Hint");
        await page.waitForSelector(".hints li", { timeout: 30_000 });
      }
      assert.deepEqual(
        await measure(page),
        { scrolls: false, hidden: 0, covered: 0 },
        `${players}, ${width}×${height}`,
      );
      await page.context().close();
    }
  }
});

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
