import assert from "node:assert/strict";
import { createClient, joinGame, openGame } from "catch-the-ten";
import type { Page } from "playwright-core";
import { testAtTable } from "./at-table.ts";
import { openContext, Watch } from "./watch.ts";

testAtTable("seven windows of one browser follow seven games over plain HTTP", async ({ service, browser }) => {
  const client = createClient({ baseUrl: service.baseUrl });
  const context = await openContext(browser);
  const pages: Page[] = [];
  const watches: Watch[] = [];
  const games = [];
  for (let window = 0; window < 7; window += 1) {
    const { id, seats } = await openGame(client, { rules: "trebor", players: 2, first_dealer: 1 });
    games.push(await joinGame(client, { id, token: seats[1]?.token }));
    const page = await context.newPage();
    pages.push(page);
    watches.push(new Watch(page, service.baseUrl));
    await page.goto(`${service.baseUrl}/table#game=${id}&seat=0&token=${seats[0]?.token}`);
    await page.locator(".lobby").waitFor();
  }
  await Promise.all(games.map((game) => game.deal()));
  for (const page of pages) await page.locator(".hand .card").first().waitFor();
  for (const game of games) game.close();
  assert.deepEqual(
    watches.flatMap(({ faults }) => faults),
    [],
  );
  await context.close();
});
