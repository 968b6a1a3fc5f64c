import assert from "node:assert/strict";
import { ask, cardName, createClient } from "catch-the-ten";
import { changeRule, open, READY, testAtTable, waitForCards } from "./at-table.ts";
import { openDeal } from "./moments.ts";
import { checkAccess, openContext, openPage } from "./watch.ts";

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
    await page.waitForSelector(READY);
    await page.locator(".hand .card.legal").first().click();
  }
  await page.waitForSelector(".outcome");
  assert.match((await page.locator(".outcome h2").textContent()) ?? "", /caught the ten$|^Game over/);
  assert.equal(await page.locator(".outcome .face").count(), 5);
  await page.click("text=Look at the deal again");
  const board = page.locator(".deal-board");
  await board.getByText("Trick 1 of 9", { exact: true }).first().waitFor();
  await page.keyboard.press("ArrowRight");
  await board.locator("[role=status]", { hasText: "Trick 2 of 9" }).waitFor();
  assert.equal(await board.locator(".hands .gone").count(), 4);
  await board.getByRole("button", { name: "Trick before" }).click();
  await board.locator("[role=status]", { hasText: "Trick 1 of 9" }).waitFor();
  assert.equal(await board.getByText(/Had all played/).isVisible(), false);
  await board.locator("summary").click();
  await board
    .getByText(/^Had all played their best .*: You and Morag (about )?\d+ and Isla and Ewan (about )?\d+\./)
    .waitFor();
  await checkAccess(page);
  const link = await board.locator(".link input").inputValue();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const [friend, friendWatch] = await openPage(browser, link);
  await friend.locator(".deal-board").getByText("What could be known", { exact: true }).waitFor();
  assert.deepEqual(await friend.locator(".hands b").allTextContents(), ["Player 1", "Isla", "Morag", "Ewan"]);
  const turner = friend.locator(".turner");
  await turner.dispatchEvent("pointerdown", { clientX: 300 });
  await turner.dispatchEvent("pointerup", { clientX: 200 });
  await friend.locator("[role=status]", { hasText: "Trick 2 of 9" }).waitFor();
  await checkAccess(friend);
  assert.deepEqual(friendWatch.faults, []);
  await friend.context().close();
  await checkAccess(page);
  const cards = await page.evaluate<number>(
    `fetch("/v1/positions/" + new URLSearchParams(location.hash.slice(1)).get("position")).then(r => r.json())
      .then(p => p.state.taken.flat().length)`,
  );
  assert.equal(cards, 36);
  await page.click("text=Next deal");
  await page.waitForSelector(".hand.my-turn .card.legal");
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
      .locator(".score tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll(".names, b")].map((one) => one.textContent)));
    const total = totals.find(([side]) => side === won)?.at(-1);
    assert(Number(total) >= 45, `${won} won with ${total}`);
    await page.locator(".after").getByRole("button", { name: "New game" }).click();
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
    assert.match(fault ?? "", /more cards than the pack/);
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
  assert.deepEqual(await page.locator(".seat .name b").allTextContents(), ["Morag", "Ewan", "Una", "You"]);
  await page.locator(".hand .card.barred").first().click();
  await page.waitForSelector(".text.wrong");
  assert.match((await page.locator(".text.wrong").textContent()) ?? "", /may not play.*follow suit.*trebor/s);
  await page.click("text=Hint");
  await page.waitForSelector(".hints .advice");
  const advice = (await page.locator(".hints .advice").textContent()) ?? "";
  assert.match(advice, /^(Play|Throw|Lead) the .+ of .+: .+\.$/);
  for (const card of await page.locator(".hand .card").all()) {
    const name = (await card.getAttribute("aria-label")) ?? "";
    const marked = await card.evaluate((one) => one.classList.contains("advised"));
    assert.equal(marked, advice.split(":")[0]?.includes(name), name);
  }
  await page.click("text=More");
  await page.click("text=For developers");
  await page.locator(".calls summary").first().click();
  assert.match((await page.locator(".calls pre").first().textContent()) ?? "", /curl -s/);
  await checkAccess(page);
  assert.deepEqual(watch.faults, []);
});

testAtTable(
  "a preset is a house rule in one choice, and the table says which rules and deals there are",
  async ({ service, browser }) => {
    const [page, watch] = await open(browser, `${service.baseUrl}/table`);
    await page.click("text=New game");
    await page.getByLabel("Kind of game").selectOption("a short game: 21 points");
    await checkAccess(page);
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.waitForSelector("dialog", { state: "detached" });
    for (
      await page.waitForSelector(READY);
      !(await page.locator(".after").count());
      await page.waitForSelector(READY)
    ) {
      const left = await page.locator(".hand .card").count();
      await page.locator(".hand .card.legal").first().click();
      await page.waitForFunction(
        (held) => document.querySelectorAll(".hand .card").length < held || document.querySelector(".after"),
        left,
      );
    }
    await page.getByRole("button", { name: "How to play" }).click();
    await page.getByRole("heading", { name: "21 is game house rule" }).waitFor();
    assert.equal(await page.locator("dialog mark").count(), 1);
    await checkAccess(page);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.click("text=More");
    await page.getByRole("button", { name: "All deals so far" }).click();
    await checkAccess(page);
    const rows = await page.locator(".sheet tbody tr").evaluateAll((all) => all.map((row) => row.textContent));
    assert.deepEqual(
      rows.map((row) => /^(Deal 1|Game)\d+$/.exec(row ?? "")?.[1]),
      ["Deal 1", "Game"],
    );
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("a trick is put away by a click, and who is offline is told at once", async ({ service, browser }) => {
  const context = await openContext(browser);
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/table`);
  await page.waitForSelector(READY);
  await page.locator(".hand .card.legal").first().click();
  const shown = page.locator(".go-on");
  await shown.waitFor();
  const clicked = Date.now();
  await shown.click();
  await shown.waitFor({ state: "detached" });
  assert.ok(Date.now() - clicked < 1000, "the trick waited for its time");
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor({ timeout: 2000 });
  await context.setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "detached" });
});

testAtTable(
  "the page opens without the service, too, and says that it cannot be reached",
  async ({ service, browser }) => {
    const context = await openContext(browser);
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/table`);
    await page.waitForSelector(READY);
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await service[Symbol.asyncDispose]();
    await page.reload();
    await page.getByRole("button", { name: "How to play" }).waitFor();
    await page.getByText(/The game cannot be reached|No answer yet/).waitFor();
    assert.deepEqual(await page.evaluate("caches.open('table').then(c => c.keys()).then(k => k.length)"), 5);
  },
);

testAtTable("the game is played by keyboard alone", async ({ service, browser }) => {
  const [page, watch] = await open(browser, `${service.baseUrl}/table`);
  const before = await page.locator(".hand .card").count();
  await page.locator(".hand .card").first().focus();
  await page.evaluate(`
    globalThis.said = [];
    const note = ({ target, addedNodes }) => said.push(...[...addedNodes, target].slice(0, 1).map((one) => one.textContent));
    const what = { subtree: true, childList: true, characterData: true };
    new MutationObserver((all) => all.filter((one) => one.type === "characterData" || one.addedNodes.length).forEach(note))
      .observe(document.querySelector("[role=status]"), what);
  `);
  for (let step = 0; step < before; step += 1) {
    if (await page.evaluate("document.activeElement.classList.contains('legal')")) break;
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Enter");
  await waitForCards(page, before - 1);
  assert.notEqual(await page.locator("[role=status]").textContent(), "");
  await page.waitForSelector(".hand .card:focus");
  const said = await page.evaluate<string[]>("said");
  assert.notDeepEqual(said, []);
  assert.deepEqual(
    said.filter((line, at) => line === said[at - 1]),
    [],
  );
  assert.deepEqual(watch.faults, []);
});

testAtTable("the game is learned: how to play, and a first deal with a coach", async ({ service, browser }) => {
  const [page, watch] = await openPage(browser, `${service.baseUrl}/how-to-play`);
  const rules = page.getByRole("dialog", { name: "How to play" });
  await rules.getByRole("img", { name: "jack of hearts" }).first().waitFor();
  await checkAccess(page);
  await rules.getByRole("button", { name: "Play a first deal with a coach" }).click();
  await page.waitForURL(/\/table#/);
  for (let left = 9; left > 7; left -= 1) {
    await page.waitForSelector(".hints .advice");
    assert.match((await page.locator(".advice").textContent()) ?? "", /^((Lead|Play|Throw) .+: .+|Play what .+)\.$/);
    await page.locator(".card.advised").first().click();
    await waitForCards(page, left - 1);
  }
  await page.click("text=More");
  await page.getByLabel("A coach says what to play, and why").uncheck();
  await checkAccess(page);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "How to play" }).click();
  await rules.waitFor();
  assert.deepEqual(watch.faults, []);
});

testAtTable(
  "who loads the page again plays on at the level that was chosen, and still finds the deals that are over",
  async ({ service, browser }) => {
    const [page, watch] = await open(browser, `${service.baseUrl}/table`);
    await page.click("text=New game");
    await page.getByLabel("The other seats").selectOption("the computer: hard");
    // So that nobody wins in the first two deals.
    await changeRule(page, "target", "1000");
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.waitForSelector("dialog", { state: "detached" });
    for (let left = 9; left > 0; left -= 1) {
      await page.locator(".hand.my-turn .card.legal").first().click();
      await page.waitForFunction((cards) => document.querySelectorAll(".hand .card").length < cards, left);
    }
    const next = page.getByRole("button", { name: "Next deal" });
    await next.click();
    await page.waitForSelector(".hand.my-turn .card.legal");
    await page.reload();
    // Who wins as the last of a trick leads to the next before the computer has played at all.
    for (const left of [8, 7]) {
      await page.locator(".hand.my-turn .card.legal").first().click();
      await waitForCards(page, left);
      await page.waitForSelector(READY);
    }
    await page.click("text=More");
    await page.getByRole("button", { name: "All deals so far" }).click();
    assert.deepEqual(await page.locator(".sheet tbody th").allTextContents(), ["Deal 1", "Game"]);
    await checkAccess(page);
    await page.getByRole("button", { name: "Deal 1" }).click();
    const board = page.locator(".deal-board");
    await board.locator("[role=status]", { hasText: "Trick 1 of 9" }).waitFor();
    const [friend] = await openPage(browser, await board.locator(".link input").inputValue());
    await friend.getByText("What could be known", { exact: true }).waitFor();
    await friend.context().close();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.click("text=More");
    await page.click("text=For developers");
    await page.locator(".calls summary", { hasText: "/v1/suggestions" }).first().click();
    assert.match((await page.locator(".calls details[open] pre").first().textContent()) ?? "", /"level": ?"hard"/);
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("a hint that takes long is waited for, and one that is refused is asked for again", async (at) => {
  const [page] = await open(at.browser, `${at.service.baseUrl}/table`);
  let asked = 0;
  await page.route("**/v1/suggestions", async (route) => {
    asked += 1;
    if (asked > 1) return route.continue();
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    await route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      headers: { "Retry-After": "1" },
      body: JSON.stringify({ code: "too_busy", status: 409, title: "Too busy", errors: [] }),
    });
  });
  await page.getByRole("button", { name: "Hint" }).click();
  await page.getByText("Still working it out …").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForSelector(".hints .advice");
  assert.equal(asked, 2);
});

for (const [locale, words] of [
  ["en", "Your connection has all that one may have here. Close other windows of the game, or wait 600 seconds."],
  ["de", "Dein Anschluss hat schon alles, was einer hier haben kann."],
] as const) {
  testAtTable(`who has used up their share is told so, and can try again: ${locale}`, async (at) => {
    const [page] = await openPage(at.browser, `${at.service.baseUrl}/table`, false, undefined, { locale });
    await page.waitForSelector(READY);
    await page.route("**/v1/suggestions", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/problem+json",
        headers: { "Retry-After": "600" },
        body: JSON.stringify({ code: "share_used_up", status: 429, title: "", detail: "", errors: [] }),
      }),
    );
    await page.locator(".bar nav button").nth(-3).click();
    await page.getByText(words).waitFor();
    await page.unroute("**/v1/suggestions");
    await page.locator(".text button").last().click();
    await page.waitForSelector(".hints .advice");
  });
}

testAtTable("the board and the rules follow French Whist, where the ten of diamonds is the honour", async (at) => {
  const client = createClient({ baseUrl: at.service.baseUrl });
  const opened = { rules: "french-whist", players: 4, dealer: 3, seed: "arran" } as const;
  let { position } = await ask(client, "deals", opened);
  const isTaken = () => position.state.taken.some((cards) => cards.includes("TD"));
  while (position.phase === "playing" && !isTaken()) {
    const cards = position.legal_cards?.slice(0, 1) ?? [];
    ({ position } = await ask(client, "next-states", { state: position.state, cards }));
  }
  assert.notEqual(position.trump, "D");
  const [page, watch] = await open(at.browser, `${at.service.baseUrl}/table#position=${position.notation}`);
  const shown = (await page.locator(".score small").allTextContents()).join(" ");
  assert.match(shown, /10♦/);
  assert.doesNotMatch(shown, /10[♣♥♠]/);
  await page.getByRole("button", { name: "How to play" }).click();
  await page.getByText("The ten of diamonds counts 10").waitFor();
  await page.getByText("Each trick counts one.").waitFor();
  assert.deepEqual(watch.faults, []);
});

testAtTable("a game that ends in the middle of a deal says so", async ({ service, browser }) => {
  const [page] = await openPage(browser, service.baseUrl);
  await openDeal(4, 36)(page, service.baseUrl, [38, 40]);
  await page.getByText("41 is reached, so the game ends in the middle of the deal.").waitFor();
});

/** Links of a deal, of positions in notation, of a state, and of a seat: all cut short, or with a card twice. */
const DAMAGED = [
  "deal=x",
  "position=ctt1_trebor_02.13_1_0.0_3-Ad_JhK97d86c.AQ",
  "position=ctt1_trebor_02.13_1_0.0_3-Ad_JhJh97d86c.AQ9hQ8dAc.J6dQ97c.5_2-7hTc_KJT9876sKT86hKc.0",
  "position=ctt1_nosuch_02.13_1_0.0_0-Ad_9.8.AK9sJ9h6d876c.9_1-Th_0.0",
  "state=%7B",
  "state=%7B%22rules%22:%22trebor%22%7D",
  `game=${"x".repeat(22)}&token=ctt_seat_xyz`,
];

testAtTable("a damaged link says so in the language of the page", async ({ service, browser }) => {
  for (const [locale, words] of [
    ["en", "This link is not complete and leads to no game."],
    ["de", "Der Link ist nicht vollständig: Er führt zu keinem Spiel."],
  ] as const) {
    const [page, watch] = await openPage(browser, `${service.baseUrl}/table#${DAMAGED[0]}`, false, undefined, {
      locale,
    });
    for (const hash of DAMAGED) {
      await page.goto("about:blank");
      await page.goto(`${service.baseUrl}/table#${hash}`);
      await page.getByText(words, { exact: true }).waitFor();
      await page.locator("a[href=table]").waitFor();
    }
    await checkAccess(page);
    assert.deepEqual(watch.faults, []);
    await page.context().close();
  }
});

testAtTable("a coach is offered on the first deal, and remembered", async ({ service, browser }) => {
  const [page, watch] = await open(browser, `${service.baseUrl}/table`);
  await page.getByRole("button", { name: "Play with a coach" }).click();
  await page.waitForSelector(".hints .advice");
  await checkAccess(page);
  await page.goto("about:blank");
  await page.goto(`${service.baseUrl}/table`);
  await page.waitForSelector(".hints .advice");
  assert.equal(await page.getByRole("button", { name: "Play with a coach" }).count(), 0);
  assert.deepEqual(watch.faults, []);
});

testAtTable("cards are dealt, lie as one wishes, and the next one has the focus", async ({ service, browser }) => {
  const [page, watch] = await openPage(browser, service.baseUrl);
  await openDeal(4, 9)(page, service.baseUrl);
  const deals = () => page.evaluate("document.getAnimations().filter((one) => one.animationName === 'dealt').length");
  assert.equal(await deals(), 0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.reload();
  await page.waitForSelector(".hand .card");
  assert.equal(await deals(), await page.locator(".hand .card").count());
  await page.emulateMedia({ reducedMotion: "reduce" });
  const ranks = async () =>
    (
      await page.locator(".hand .card").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""))
    ).map((label) =>
      ["six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"].indexOf(label.split(" ")[0] ?? ""),
    );
  const before = await ranks();
  await page.click("text=More");
  await page.getByLabel("Order of your cards").selectOption("by rank");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  assert.deepEqual(
    await ranks(),
    before.toSorted((one, other) => other - one),
  );
  await page.locator(".hand .card.legal").first().click();
  await waitForCards(page, before.length - 1);
  await page.waitForSelector(".hand.my-turn");
  assert.ok(await page.evaluate("document.activeElement.matches('.hand .card')"));
  assert.deepEqual(watch.faults, []);
});

testAtTable("a click on the table plays an only card, for who wishes that", async ({ service, browser }) => {
  const [page, watch] = await openPage(browser, service.baseUrl);
  await openDeal(4, 35)(page, service.baseUrl);
  assert.equal(await page.locator(".felt .go-on").count(), 0);
  await page.click("text=More");
  await page.getByLabel("A click on the table plays the only card that may be played").check();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await checkAccess(page);
  await page
    .locator(".felt")
    .getByRole("button", { name: /^Play the / })
    .click();
  await page.waitForSelector(".after");
  assert.deepEqual(watch.faults, []);
});

testAtTable("one's turn is heard once, by who wishes that, and not before a click", async ({ service, browser }) => {
  const [page, watch] = await openPage(browser, service.baseUrl);
  await page.addInitScript(`
    globalThis.heard = [];
    globalThis.AudioContext = class extends AudioContext {
      constructor() { super(); heard.push("ready"); }
      createOscillator() { heard.push("tone"); return super.createOscillator(); }
    };
  `);
  const heard = () => page.evaluate<string[]>("heard");
  const play = async (): Promise<void> => {
    const cards = await page.locator(".hand .card").count();
    await page.locator(".hand .card.legal").first().click();
    await waitForCards(page, cards - 1);
    await page.waitForSelector(READY);
  };
  await openDeal(4, 9)(page, service.baseUrl);
  await play();
  assert.deepEqual(await heard(), []);
  await page.click("text=More");
  await page.getByLabel("A soft sound when it is your turn").check();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await play();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.waitForSelector(".hints .advice");
  assert.deepEqual(await heard(), ["ready", "tone"]);
  await page.reload();
  await page.waitForSelector(READY);
  assert.deepEqual(await heard(), []);
  await play();
  assert.deepEqual(await heard(), ["ready", "tone"]);
  await page.addInitScript("delete globalThis.AudioContext");
  await page.reload();
  await page.waitForSelector(READY);
  await play();
  assert.deepEqual(watch.faults, []);
});
