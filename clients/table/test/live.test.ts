import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ask, createClient, joinGame, openGame } from "catch-the-ten";
import type { Page, Route } from "playwright-core";
import { changeRule, open, READY, testAtTable, waitForCards } from "./at-table.ts";
import { checkAccess, checkWidth, NARROW, openPage } from "./watch.ts";

/** The game in the address of a page. */
const GAME = "new URLSearchParams(location.hash.slice(1)).get('game')";

/** Begins to open a game for people, as Ann. */
async function choosePeople(page: Page): Promise<void> {
  await page.click("text=New game");
  await page.selectOption("label:has-text('other seats') select", "people");
  await page.getByLabel("Your name").fill("Ann");
}

/** Opens the chosen table, and returns its one link. */
async function openTable(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Open the table" }).click();
  return page.getByLabel("The link of this table", { exact: true }).inputValue();
}

/** Comes by the link of a table, and takes a seat under a name. */
async function sitDown(page: Page, name: string, seat: string): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: `Sit here ${seat}` }).click();
  await page.getByRole("heading", { name: `You sit at the table as ${name}` }).waitFor();
}

/** Lets all tap the same seat before the service hears of the first of them. */
async function sitAtOnce(pages: Page[], seat: string): Promise<void> {
  let sendAll = () => {};
  const haveAllTapped = new Promise<void>((resolve) => {
    sendAll = resolve;
  });
  let tapped = 0;
  const hold = async (route: Route) => {
    tapped += 1;
    if (tapped === pages.length) sendAll();
    await haveAllTapped;
    await route.continue();
  };
  for (const page of pages) await page.route("**/seats/*/tokens", hold, { times: 1 });
  await Promise.all(pages.map((page) => page.getByRole("button", { name: `Sit here ${seat}` }).click()));
}

/** Returns the link that takes one's seat to another device. */
async function findOwnLink(page: Page): Promise<string> {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByText("Play on another device").click();
  await checkAccess(page);
  const link = await page.getByLabel("Your seat", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Show the link as a code: Your seat" }).click();
  await page.getByRole("img", { name: "A code to scan with a phone: Your seat" }).waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  return link;
}

/** Returns who sits where, as a lobby says it. */
const seats = (page: Page) => page.locator(".lobby .who").allTextContents();

testAtTable(
  "four people play a live game of one deal in four windows, and somebody looks on",
  async ({ service, browser }, context) => {
    const [first, watch] = await open(browser, `${service.baseUrl}/table`);
    await choosePeople(first);
    // The game ends with its first deal, and not before its last trick.
    await changeRule(first, "target", "1000");
    await changeRule(first, "deals", "1");
    const link = await openTable(first);
    await checkAccess(first);
    await first.locator(".lobby select").first().selectOption("easy");
    await first.locator(".lobby li").nth(1).getByText("Isla", { exact: true }).waitFor();
    await first.locator(".lobby select").first().selectOption("");
    await first.locator(".lobby li").nth(1).getByText("free").waitFor();
    assert.deepEqual(await seats(first), [
      "Ann you, partner of Player 3",
      "Player 2 free, partner of Player 4",
      "Player 3 free, partner of Ann",
      "Player 4 free, partner of Player 2",
    ]);
    const pages = [first];
    for (const [at, name] of ["Bea", "Cem", "Dot"].entries()) {
      const [page] = await openPage(browser, link);
      await page.getByRole("heading", { name: "You are invited to play with Ann" }).waitFor();
      await page.getByText("Catch the Ten: 4 players; about ").waitFor();
      await checkAccess(page);
      await sitDown(page, name, `Player ${at + 2}`);
      await first
        .locator(".lobby li")
        .nth(at + 1)
        .getByText(name, { exact: true })
        .waitFor();
      const missing = ["Player 3 and Player 4", "Player 4"][at];
      if (missing) for (const one of [...pages, page]) await one.getByText(`Still free: ${missing}.`).waitFor();
      assert(!page.url().includes("token") && !page.url().includes("seats"));
      pages.push(page);
    }
    for (const page of pages) await page.getByText("Still free").waitFor({ state: "detached" });
    const [watching] = await openPage(browser, link);
    await watching.getByRole("heading", { name: /watching/ }).waitFor();
    pages.push(watching);
    await checkAccess(first);
    const [spectator] = pages.slice(-1) as [Page];
    await first.getByRole("button", { name: "Start the game" }).click();
    const play = async (page: Page): Promise<void> => {
      for (let card = 0; card < 9; card += 1) {
        await page.waitForSelector(".hand.my-turn .card.legal");
        await page.locator(".hand .card.legal").first().click();
        await waitForCards(page, 8 - card);
      }
    };
    await first.waitForSelector(".hand .card");
    await first.reload();
    await first.waitForSelector(".hand .card");
    for (const [seat, page] of pages.slice(0, 4).entries()) {
      await page.locator(".seat.me").getByText("You", { exact: true }).waitFor();
      assert.equal(await page.locator(".seat").getByText("Ann").count(), seat === 0 ? 0 : 1);
    }
    await Promise.all(pages.slice(0, 4).map(play));
    const counts = pages.map(async (page) => {
      await page.waitForSelector(".outcome li");
      return page.locator(".outcome .made").allTextContents();
    });
    const [one, ...others] = await Promise.all(counts);
    for (const other of others) assert.deepEqual(other, one);
    for (const page of pages) {
      const end = (await page.getByRole("heading", { name: /^Game over/ }).textContent()) ?? "";
      const won = page === spectator ? /: \w+ and \w+ won$/ : /: (Your side|\w+ and \w+) won$/;
      assert.match(end, end.includes("level") ? /: all sides are level, and win together$/ : won);
    }
    for (const page of pages) assert.match((await page.locator(".proof").textContent()) ?? "", /^This deal was fair/);
    for (const page of [first, spectator]) {
      await page.click("text=Look at the deal again");
      await page.waitForSelector(".deal-board");
    }
    await first.getByRole("heading", { name: "What you could have known" }).waitFor();
    await spectator.getByRole("heading", { name: "What could be known" }).waitFor();
    context.diagnostic(`${watch.requests} requests of the first window`);
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("two who take the same seat at once sit at two, and everybody sees both", async ({ service, browser }) => {
  const [ann, watch] = await open(browser, `${service.baseUrl}/table#friends=1`);
  await ann.getByLabel("Your name").fill("Ann");
  const link = await openTable(ann);
  const names = ["Bea", "Cem", "Dot"];
  const guests = await Promise.all(names.map(async () => (await openPage(browser, link))[0]));
  await Promise.all(guests.map((page, at) => page.getByLabel("Your name").fill(names[at] ?? "")));
  // One who looks at the invitation and loads it again is invited still.
  await guests[0]?.reload();
  await guests[0]?.getByLabel("Your name").fill("Bea");
  await sitAtOnce(guests, "Player 3");
  for (const [at, page] of guests.entries())
    await page.getByRole("heading", { name: `You sit at the table as ${names[at]}` }).waitFor();
  await ann.getByText("Still free").waitFor({ state: "detached" });
  const sitting = await ann.locator(".lobby .who b").allTextContents();
  assert.deepEqual(sitting.sort(), ["Ann", ...names]);
  // The host is away and one more closes the window; anybody begins, and who comes back finds the cards.
  const address = ann.url();
  await ann.close();
  const [bea, cem] = guests as [Page, Page];
  const left = bea.url();
  await bea.close();
  await cem.getByRole("button", { name: "Start the game" }).click();
  await waitForCards(cem, 9);
  for (const [context, url] of [
    [ann.context(), address],
    [bea.context(), left],
    [bea.context(), link],
  ] as const) {
    const back = await context.newPage();
    await back.goto(url);
    await waitForCards(back, 9);
  }
  assert.deepEqual(watch.faults, []);
});

testAtTable("a table that is gone is opened again for the same people by one click", async ({ service, browser }) => {
  const [ann] = await open(browser, `${service.baseUrl}/table#friends=1`);
  await ann.getByLabel("Your name").fill("Ann");
  const [bea] = await openPage(browser, await openTable(ann));
  await sitDown(bea, "Bea", "Player 2");
  await ann.locator(".lobby").getByText("Bea", { exact: true }).waitFor();
  const host = await ann.evaluate<string>(
    "JSON.parse(Object.values(localStorage).find((one) => one.includes('host'))).host",
  );
  using game = await joinGame(createClient({ baseUrl: service.baseUrl }), {
    id: await ann.evaluate(GAME),
    token: host,
  });
  await game.delete();
  await bea.getByText("This game is gone").waitFor();
  await checkAccess(bea);
  await bea.getByRole("button", { name: "Open it again for the same people" }).click();
  await bea.locator(".lobby li").first().getByText("free").waitFor();
  const seated = await seats(bea);
  assert.deepEqual(seated.slice(0, 2), ["Ann free, partner of Player 3", "Bea you, partner of Player 4"]);
  const [back] = await openPage(browser, await bea.getByLabel("The link of this table", { exact: true }).inputValue());
  await sitDown(back, "Ann", "Ann");
});

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
  assert.equal(await page.locator(".outcome h2").textContent(), "Game over: Your side won");
  assert.deepEqual(watch.faults, []);
});

testAtTable("a game that ends level says that all sides win together", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const { data: trebor } = await client.GET("/v1/rulesets/{ruleset_id}", {
    params: { path: { ruleset_id: "trebor" } },
  });
  const rules = { ...(trebor ?? assert.fail()), id: "one-deal", deals: 1 };
  // With these cards, of which the first that is legal is played each time, each side makes 18 points.
  let { position } = await ask(client, "deals", { rules, players: 4, dealer: 3, seed: "level-59" });
  for (let card = 0; card < 35; card += 1) {
    const cards = position.legal_cards?.slice(0, 1) ?? [];
    ({ position } = await ask(client, "next-states", { state: position.state, cards }));
  }
  const { id, seats } = await openGame(client, { rules, state: position.state });
  const [page, watch] = await openPage(browser, `${service.baseUrl}/table#game=${id}&seat=0&token=${seats[0]?.token}`);
  using last = await joinGame(client, { id, token: seats[position.turn ?? 0]?.token });
  await page.waitForSelector(".felt");
  await last.play(last.legalCards[0] ?? assert.fail());
  await page.getByRole("heading", { name: "Game over: all sides are level, and win together" }).waitFor();
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
    const [alone] = await openPage(browser, `${service.baseUrl}/table`);
    await alone.getByText("You cannot play alone, get hints or look back at a deal here.").waitFor();
    const [next, , , dealer] = pages as [Page, Page, Page, Page];
    await dealer.getByRole("button", { name: "Start the game" }).click();
    const play = async (page: Page): Promise<void> => {
      for (let left = 9; left > 0; left -= 1) {
        await page.locator(".hand.my-turn .card.legal").first().click();
        await waitForCards(page, left - 1);
      }
    };
    await Promise.all(pages.map(play));
    for (const page of pages) {
      await page.getByRole("button", { name: "Full count" }).click();
      assert.deepEqual(await page.locator(".count tbody th").allTextContents(), ["Deal", "Game"]);
      await page.keyboard.press("Escape");
    }
    await next.locator(".after button.main").click();
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
    await checkAccess(page);
    await sitDown(page, "Cem", "Player 3");
    await assert.rejects(joinGame(client, { id, token: seats[2]?.token }), { code: "unknown_token" });
    await page.click("text=More");
    await page.click("text=For developers");
    assert.doesNotMatch(await page.evaluate<string>("document.body.innerHTML"), /"token": "[^…]/);
    const context = page.context();
    await page.close();
    const again = await context.newPage();
    await again.goto(link);
    await again.getByRole("heading", { name: "You sit at the table as Cem" }).waitFor();
    await again.goto(`${service.baseUrl}/table`);
    await again.getByText(/ deals?\.$/).waitFor();
    await checkAccess(again);
    await again.getByRole("link", { name: "Back to the table with Ann, Player 2, and Player 4" }).click();
    await again.getByRole("heading", { name: "You sit at the table as Cem" }).waitFor();
    const [other] = await openPage(browser, link);
    await other.getByText("Somebody has taken this seat").waitFor();
    await other.getByRole("link", { name: "Watch" }).click();
    await other.getByRole("heading", { name: "You are watching" }).waitFor();
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable(
  "who opened a game keeps it, invites again, and sits at two seats of it in two windows",
  async ({ service, browser }) => {
    const [first, watch] = await open(browser, `${service.baseUrl}/table`);
    await choosePeople(first);
    await openTable(first);
    const link = await first.locator(".lobby li input").first().inputValue();
    const second = await first.context().newPage();
    await second.goto(link);
    await sitDown(second, "Ann", "Player 2");
    await first.getByRole("button", { name: "New link" }).waitFor();
    const address = first.url();
    await first.close();
    const third = await second.context().newPage();
    await third.goto(address);
    await third.getByRole("heading", { name: "You sit at the table as Ann" }).waitFor();
    await third.getByRole("button", { name: "New link" }).click();
    await third.locator(".lobby li").nth(1).locator("input").waitFor({ state: "attached" });
    const fresh = await third.locator(".lobby li input").first().inputValue();
    assert.notEqual(fresh, link);
    const [other] = await openPage(browser, fresh);
    await sitDown(other, "Bea", "Ann");
    await third.locator(".lobby li").nth(1).getByText("Bea", { exact: true }).waitFor();
    const own = await findOwnLink(third);
    const [elsewhere] = await openPage(browser, own);
    await elsewhere.getByRole("heading", { name: "You sit at the table as Ann" }).waitFor();
    await elsewhere.locator(".lobby select").first().selectOption("easy");
    await third.locator(".lobby li small").nth(1).getByText("the computer: easy").waitFor();
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable(
  "no link to a seat that this browser keeps takes it, or what its host holds, away",
  async ({ service, browser }) => {
    const [ann, watch] = await open(browser, `${service.baseUrl}/table`);
    await choosePeople(ann);
    await openTable(ann);
    await ann.getByText(/^The table waits until \w+day, /).waitFor();
    const address = ann.url();
    const own = await findOwnLink(ann);
    const context = ann.context();
    await ann.close();
    for (const link of [own, `${address}&token=x`, address]) {
      const page = await context.newPage();
      await page.goto(link);
      await page.getByRole("heading", { name: "You sit at the table as Ann" }).waitFor();
      assert.equal(await page.locator(".lobby li input").count(), 3, "the links that only the host has");
      await page.getByRole("button", { name: "Start the game" }).waitFor();
      assert.equal(page.url(), address);
      await page.close();
    }
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable(
  "a table says until when it waits, and a game that is gone is no longer among those of the browser",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl });
    const opened = await openGame(client, { rules: "trebor", players: 2 });
    const [page] = await openPage(
      browser,
      `${service.baseUrl}/table#game=${opened.id}&token=${opened.seats[0]?.token}`,
    );
    await sitDown(page, "Ann", "Player 1");
    await page.getByText(/^The table waits until \w+day, /).waitFor();
    using host = await joinGame(client, { id: opened.id, token: opened.host_token });
    await page.goto("about:blank");
    await host.delete();
    await page.goto(`${service.baseUrl}/table`);
    await page.waitForSelector(READY);
    assert.equal(await page.getByRole("button", { name: "Your games" }).count(), 0);
  },
);

testAtTable("a seat is left to the computer and taken back, and resigned", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const names = ["Ann", "Bea", "Cem", "Dot"].map((name) => ({ name }));
  const { id, seats } = await openGame(client, { rules: "trebor", players: 4, first_dealer: 3, seats: names });
  const [token, , , dealing] = seats.map((seat) => seat.token);
  const [page, watch] = await openPage(browser, `${service.baseUrl}/table#game=${id}&seat=0&token=${token}`);
  await page.getByText("Dot deals.").waitFor();
  using dealer = await joinGame(client, { id, token: dealing });
  await dealer.deal();
  await page.waitForSelector(READY);
  await page.click("text=Seats");
  await page.getByRole("dialog").getByRole("button", { name: "Let the computer play for Bea" }).click();
  await page.getByRole("dialog").getByText("once nobody has sat here for two minutes").waitFor();
  await page.getByRole("button", { name: "Let the computer play for me" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Play again myself" }).waitFor();
  await page.getByRole("dialog").getByText("you, the computer: medium, partner of Cem").waitFor();
  await page.locator(".seat.me abbr[title=computer]").waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.locator(".text").getByRole("button", { name: "Play again myself" }).click();
  await page.getByText("You are back and play again.").waitFor();
  await page.click("text=Seats");
  page.once("dialog", (asked) => asked.accept());
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("heading", { name: "Game over: Bea and Dot won" }).waitFor();
  assert.deepEqual(watch.faults, []);
});

testAtTable(
  "a guest opens the next game by one click, and everybody comes along, also who had closed the window",
  async ({ service, browser }) => {
    const [ann, watch] = await open(browser, `${service.baseUrl}/table`);
    await choosePeople(ann);
    const link = await openTable(ann);
    const come = async (name: string, seat: string): Promise<Page> => {
      const [page] = await openPage(browser, link);
      await sitDown(page, name, seat);
      return page;
    };
    const [bea, cem] = [await come("Bea", "Player 2"), await come("Cem", "Player 3")];
    const [eve] = await openPage(browser, link);
    await eve.getByRole("link", { name: "Just watch" }).click();
    await eve.getByRole("heading", { name: "You are watching" }).waitFor();
    await ann.getByRole("button", { name: "Start the game" }).click();
    for (const page of [bea, cem]) await waitForCards(page, 9);
    await bea.click("text=Seats");
    bea.once("dialog", (asked) => asked.accept());
    await bea.getByRole("button", { name: "Resign" }).click();
    await bea.getByRole("button", { name: "Close", exact: true }).click();
    await eve.getByRole("heading", { name: /^Game over/ }).waitFor();
    await checkAccess(bea);
    const sitting = bea.locator(".seat", { hasText: "Cem" });
    await sitting.getByText("here").waitFor({ state: "attached" });
    const left = cem.url();
    await cem.close();
    await sitting.getByText("away").waitFor({ state: "attached" });
    await bea.getByRole("button", { name: "Next game" }).click();
    for (const [page, name] of [
      [ann, "Ann"],
      [bea, "Bea"],
    ] as const)
      await page.getByRole("heading", { name: `You sit at the table as ${name}` }).waitFor();
    await eve.getByRole("heading", { name: "You are watching" }).waitFor();
    const back = await cem.context().newPage();
    await back.goto(left);
    await back.getByRole("heading", { name: "You sit at the table as Cem" }).waitFor();
    await come("Dot", "Player 4");
    const games = await Promise.all([ann, bea, eve, back].map((page) => page.evaluate(GAME)));
    assert.equal(new Set(games).size, 1);
    assert(!left.includes(String(games[0])));
    await ann.getByRole("button", { name: "Start the game" }).click();
    for (const page of [ann, bea, back]) await waitForCards(page, 9);
    await back.reload();
    await waitForCards(back, 9);
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable(
  "the time for a card is shown as it runs, and when it is over the computer plays the card",
  async ({ service, browser }) => {
    const client = createClient({ baseUrl: service.baseUrl });
    const names = ["Ann", "Bea", "Cem", "Dot"].map((name) => ({ name }));
    const opened = { rules: "trebor", players: 4, first_dealer: 3, seats: names, move_seconds: 5 } as const;
    const { id, seats } = await openGame(client, opened);
    const [page, watch] = await openPage(
      browser,
      `${service.baseUrl}/table#game=${id}&seat=0&token=${seats[0]?.token}`,
    );
    await page.getByText("Dot deals.").waitFor();
    using dealer = await joinGame(client, { id, token: seats[3]?.token });
    await dealer.deal();
    await page.locator(".seat.me").getByRole("timer").waitFor();
    await page.getByText("You ran out of time: the computer plays this card.").waitFor();
    await page.locator(".seat:not(.me)").getByRole("timer").waitFor();
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable(
  "a card is taken back once the others agree, and the last trick is seen again",
  async ({ service, browser }) => {
    const [ann, watch] = await open(browser, `${service.baseUrl}/table`);
    await choosePeople(ann);
    await ann.getByLabel("Players").selectOption("2");
    await ann.getByLabel("A card may be taken back if all others agree").check();
    const [bea] = await openPage(browser, await openTable(ann));
    await sitDown(bea, "Bea", "Player 2");
    await bea.getByRole("button", { name: "Start the game" }).click();
    await waitForCards(ann, 6);
    await waitForCards(bea, 6);
    const annLeads = await Promise.race([
      ann.waitForSelector(READY).then(() => true),
      bea.waitForSelector(READY).then(() => false),
    ]);
    const [leader, other, name] = annLeads ? [ann, bea, "Ann"] : [bea, ann, "Bea"];
    await leader.locator(".hand .card.legal").first().click();
    await waitForCards(leader, 5);
    await leader.getByRole("button", { name: "Take it back" }).click();
    await leader.getByText("You ask to take your card back.").waitFor();
    await other.getByText(`${name} asks to take the last card back.`).waitFor();
    await checkAccess(other);
    await other.getByRole("button", { name: "Agree" }).click();
    await leader.getByText("You take back the ").waitFor();
    await waitForCards(leader, 6);
    await leader.locator(".hand.my-turn .card.legal").first().click();
    await leader.getByRole("button", { name: "Take it back" }).click();
    await other.getByRole("button", { name: "No, play on" }).click();
    await other.getByRole("button", { name: "Agree" }).waitFor({ state: "detached" });
    await other.locator(".hand.my-turn .card.legal").first().click();
    await waitForCards(other, 5);
    for (const page of [leader, other]) {
      const last = page.getByRole("button", { name: "Last trick" });
      await page.waitForSelector(".played", { state: "detached" });
      await last.click();
      assert.equal(await page.locator(".played").count(), 2);
      assert.equal(await page.locator(".played.best").count(), 1);
      await checkAccess(page);
      await last.click();
      await page.waitForSelector(".played", { state: "detached" });
    }
    assert.deepEqual(watch.faults, []);
  },
);

testAtTable("the link of a table is folded once it waits for nobody", async ({ service, browser }) => {
  const [ann, watch] = await open(browser, `${service.baseUrl}/table`);
  await choosePeople(ann);
  await ann.getByLabel("Players").selectOption("2");
  const link = await openTable(ann);
  const asked = ann.getByText("Post this link to everybody");
  await asked.waitFor();
  await ann.locator(".lobby select").selectOption("easy");
  await asked.waitFor({ state: "detached" });
  await ann.locator("summary").getByText("The link of this table").click();
  assert.equal(await ann.getByLabel("The link of this table", { exact: true }).inputValue(), link);
  assert.deepEqual(watch.faults, []);
});

testAtTable("each seat shows whether its player is there", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const seats = ["Ann", "Bea", "Cem"].map((name) => ({ name }));
  const opened = await openGame(client, { rules: "trebor", players: 3, first_dealer: 0, seats });
  const [ann, watch] = await openPage(
    browser,
    `${service.baseUrl}/table#game=${opened.id}&seat=0&token=${opened.seats[0]?.token}`,
  );
  await ann.getByRole("button", { name: "Start the game" }).click();
  const bea = ann.locator(".seat", { hasText: "Bea" });
  await bea.getByText("away").waitFor();
  using game = await joinGame(client, { id: opened.id, token: opened.seats[1]?.token });
  const updates = game.changes();
  await updates.next();
  updates.next().catch(() => undefined);
  await bea.getByText("here").waitFor();
  await ann.locator(".seat", { hasText: "Cem" }).getByText("away").waitFor();
  assert.equal(await ann.locator(".seat.me .presence").count(), 0);
  await checkAccess(ann);
  game.close();
  await bea.getByText("away").waitFor();
  assert.deepEqual(watch.faults, []);
});

testAtTable(
  "any player lets cards decide who plays with whom, in the lobby and without the host before the next game",
  async ({ service, browser }) => {
    const [ann, watch] = await open(browser, `${service.baseUrl}/table`);
    await choosePeople(ann);
    const link = await openTable(ann);
    const come = async (name: string, seat: string, shown = name): Promise<Page> => {
      const [page] = await openPage(browser, link, false, NARROW);
      await page.getByLabel("Your name").fill(name);
      await page.getByRole("button", { name: `Sit here ${seat}` }).click();
      await page.getByRole("heading", { name: `You sit at the table as ${shown}` }).waitFor();
      return page;
    };
    assert.equal(await ann.getByText("Change seats").count(), 0);
    const pages: Page[] = [ann];
    for (const [at, name] of ["Ben", "Cem", "Dot"].entries()) pages.push(await come(name, `Player ${at + 2}`));
    const names = ["Ann", "Ben", "Cem", "Dot"];
    const [eve] = await openPage(browser, link);
    const dot = pages[3] as Page;
    await drawPartners(dot, [...pages, eve], names);
    await checkAccess(dot);
    await checkWidth(dot);
    const drawn = await sitting(eve);
    await dot.getByRole("button", { name: "Ann", exact: true }).click();
    await dot.getByRole("button", { name: "Ben", exact: true }).click();
    const swapped = drawn.map((name) => ({ Ann: "Ben", Ben: "Ann" })[name] ?? name);
    for (const page of [...pages, eve]) await waitForSeats(page, swapped);
    for (const [at, page] of pages.entries()) {
      await page.reload();
      await page.getByRole("heading", { name: `You sit at the table as ${names[at]}` }).waitFor();
    }
    await dot.getByRole("button", { name: "Start the game" }).click();
    for (const page of pages) await waitForCards(page, 9);
    // The host goes for good.
    await ann.context().close();
    const ben = pages[1] as Page;
    await ben.click("text=Seats");
    ben.once("dialog", (asked) => asked.accept());
    await ben.getByRole("button", { name: "Resign" }).click();
    await ben.getByRole("button", { name: "Close", exact: true }).click();
    await ben.getByRole("button", { name: "Next game" }).click();
    const left = pages.slice(1);
    for (const page of [...left, eve]) await waitForSeats(page, swapped);
    await drawPartners(ben, [...left, eve], names);
    await left[1]?.getByRole("button", { name: "Start the game" }).click();
    for (const page of left) await waitForCards(page, 9);
    assert.deepEqual(watch.faults, []);
  },
);

/** Returns the names of the players, seat by seat. */
const sitting = (page: Page) => page.locator(".lobby .who b").allTextContents();

async function waitForSeats(page: Page, names: readonly string[]): Promise<void> {
  const places = page.locator(".lobby .who b");
  for (const [seat, name] of names.entries()) await places.nth(seat).getByText(name, { exact: true }).waitFor();
}

/** Draws cards for the seats in one window, and waits until all show the same cards, and that the highest are partners. */
async function drawPartners(by: Page, all: Page[], names: readonly string[]): Promise<void> {
  await by.getByText("Change seats").click();
  await by.getByRole("button", { name: "Draw partners by cards" }).click();
  await by.locator(".drawn li").first().waitFor();
  const order = await sitting(by);
  assert.deepEqual([...order].sort(), names);
  for (const page of all) await waitForSeats(page, order);
  const cards = await by.locator(".drawn").first().locator("li").allTextContents();
  const drew = await by
    .locator(".drawn")
    .first()
    .locator("svg.face")
    .evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.deepEqual(cards.map((name) => name.trim()).sort(), names);
  const ranks = drew.map((card) => RANKS.indexOf(card?.split(" ")[0] ?? ""));
  assert(!ranks.includes(-1), `${drew}`);
  const strength = new Map(cards.map((name, at) => [name.trim(), ranks[at] ?? -1]));
  const [one, other, partner, last] = order.map((name) => strength.get(name) ?? -1) as [number, number, number, number];
  assert(Math.min(one, partner) >= Math.max(other, last), `${cards} drew ${drew}, and sit as ${order}`);
}

const RANKS = ["six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
