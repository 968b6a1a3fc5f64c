/** The moments at which the table is looked at: by who takes its pictures, and by axe. */

import { ask, type Client, createClient, joinGame, openGame } from "catch-the-ten";
import type { Page } from "playwright-core";
import { READY } from "./at-table.ts";

export const SIZES = [
  [1280, 800],
  [1366, 625],
  [1920, 969],
  [1024, 768],
  [960, 1040],
  [820, 1180],
  [768, 1024],
  [390, 844],
  [360, 740],
  [360, 640],
  [320, 568],
  [844, 390],
  [667, 375],
] as const;

/** Returns the notation of a deal in which so many cards were played, each the first that was legal. */
async function findPosition(client: Client, players: number, played: number, scores?: number[]): Promise<string> {
  const { position: dealt } = await ask(client, "deals", {
    rules: "trebor",
    players,
    dealer: players - 1,
    seed: "arran",
  });
  const state = { ...dealt.state, ...(scores && { scores }) };
  let position = await ask(client, "positions", { state });
  for (let card = 0; card < played && position.phase === "playing"; card += 1) {
    const cards = position.legal_cards?.slice(0, 1) ?? [];
    ({ position } = await ask(client, "next-states", { state: position.state, cards }));
  }
  return position.notation ?? "";
}

/** Opens a position at the seat that is to play, and does something there. */
export function openDeal(
  players: number,
  played: number,
  then: (page: Page) => Promise<unknown> = () => Promise.resolve(),
) {
  return async (page: Page, baseUrl: string, scores?: number[]): Promise<void> => {
    const position = await findPosition(createClient({ baseUrl }), players, played, scores);
    await page.goto(`${baseUrl}/table#position=${position}`);
    await page.waitForSelector(READY);
    await then(page);
  };
}

/** Names as people give them. */
const NAMES = ["Ann", "Wilhelmina", "Ben", "Cat"];

/**
 * Opens a live game of four people at the first seat, or to watch, in which so many cards were played; from then on until
 * the first seat is to play, or the deal is over. `scores` are the sides' scores before the deal.
 */
export function openLive(
  played: number,
  then: (page: Page) => Promise<unknown> = () => Promise.resolve(),
  { watches = false, scores }: { watches?: boolean; scores?: [number, number] } = {},
) {
  return async (page: Page, baseUrl: string): Promise<void> => {
    const client = createClient({ baseUrl });
    const given = NAMES.map((name) => ({ name }));
    const setup = { rules: "trebor" as const, seats: given, players: 4, take_back: true, scores: scores ?? null };
    const { id, seats } = await openGame(client, setup);
    const games = await Promise.all(seats.map(({ token }) => joinGame(client, { id, token })));
    const [ann] = games;
    await ann?.deal();
    for (let card = 0; ann; card += 1) {
      const { phase, position } = await ann.refresh();
      if (phase !== "playing" || (card >= played && ann.isMyTurn && (position?.state.trick.length ?? 0) > 0)) break;
      const game = games[position?.turn ?? 0];
      await game?.refresh();
      await game?.play(game.legalCards[0] ?? "6C");
    }
    for (const game of games) game.close();
    await page.goto(`${baseUrl}/table#game=${id}${watches ? "" : `&seat=0&token=${seats[0]?.token}`}`);
    await page.waitForSelector(watches ? ".felt" : READY);
    await then(page);
  };
}

/** Opens the lobby of a game whose seats are all taken, for one of its players, once partners were drawn if so wished. */
function openLobby(seat: number, isDrawn: boolean) {
  return async (page: Page, baseUrl: string): Promise<void> => {
    const client = createClient({ baseUrl });
    const given = [...NAMES.slice(0, 3).map((name) => ({ name })), { computer: "easy" as const }];
    const { id, seats, host_token: host } = await openGame(client, { rules: "trebor", seats: given, players: 4 });
    using game = await joinGame(client, { id, token: seats[seat]?.token });
    if (isDrawn) await game.changeSeats();
    const own = `game=${id}&seat=${game.seat}&token=${seats[seat]?.token}`;
    await page.goto(`${baseUrl}/table#${own}${seat === 0 ? `&host=${host}` : ""}`);
    await page.locator(".lobby > details > summary").last().click();
    await page.waitForSelector(isDrawn ? ".lobby .drawn" : ".lobby > details[open]");
  };
}

const bar = (page: Page, place: number) => page.locator(".bar nav button").nth(place).click();

/** Chooses a game with people in the dialog of a new game; whatever the language is. */
async function choosePeople(page: Page): Promise<void> {
  await bar(page, 0);
  await page.locator("dialog select").first().selectOption("people");
  await page.locator("dialog input[autocomplete=nickname]").fill("Ann");
}

async function openTable(page: Page): Promise<void> {
  await choosePeople(page);
  await page.locator("dialog button.main").click();
  await page.waitForSelector(".lobby > .link input");
}

async function askHint(page: Page): Promise<void> {
  await bar(page, -3);
  await page.waitForSelector(".hints .advice");
}

/** Plays a card, and waits until one can play again, or the deal is over. */
async function play(page: Page): Promise<void> {
  const left = await page.locator(".hand .card").count();
  await page.locator(".hand .card.legal").first().click();
  await page.waitForFunction((cards) => document.querySelectorAll(".hand .card").length < cards, left);
  await page.waitForSelector(READY);
}

async function playDeal(page: Page): Promise<void> {
  for (let card = 0; card < 9; card += 1) await play(page);
}

/** What leads to each moment. */
export const MOMENTS: Readonly<Record<string, (page: Page, baseUrl: string) => Promise<void>>> = {
  deal: openDeal(4, 9),
  two: openDeal(2, 5),
  eight: openDeal(8, 11),
  hint: openDeal(4, 9, askHint),
  illegal: openDeal(4, 1, async (page) => {
    await page.locator(".hand .card.barred").first().click();
    await page.waitForSelector(".text.wrong");
  }),
  "last-trick": openDeal(4, 8, async (page) => {
    await play(page);
    await page.locator(".turn-up button").click();
  }),
  live: openLive(9),
  "live-watch": openLive(9, (page) => page.waitForSelector(".board:not(:has(.hand)) .seat.me .backs .face"), {
    watches: true,
  }),
  "live-hint": openLive(5, askHint),
  "live-seats": openLive(9, (page) => bar(page, -4)),
  "live-more": openLive(9, (page) => bar(page, -1)),
  "live-deal-over": openLive(36),
  "live-over": openLive(36, undefined, { scores: [0, 40] }),
  "come-back": openLive(9, async (page) => {
    const table = page.url().split("#")[0] ?? "";
    await page.goto("about:blank");
    await page.goto(table);
    await page.getByText(/Back to the table with|Zurück an den Tisch mit/).waitFor();
  }),
  "newcomer-hint": async (page, baseUrl) => {
    await page.goto(`${baseUrl}/table`);
    await page.waitForSelector(READY);
    await askHint(page);
  },
  outcome: openDeal(4, 0, playDeal),
  count: openDeal(4, 0, async (page) => {
    await playDeal(page);
    await page.locator(".after button").nth(1).click();
  }),
  board: openDeal(4, 0, async (page) => {
    await playDeal(page);
    await page.locator(".after button").first().click();
    await page.locator(".deal-board summary").click();
  }),
  end: (page, baseUrl) => openDeal(4, 36)(page, baseUrl, [38, 40]),
  how: openDeal(4, 9, (page) => bar(page, -2)),
  opening: openDeal(4, 9, choosePeople),
  lobby: openDeal(4, 9, openTable),
  "lobby-full": openLobby(0, false),
  "lobby-drawn": openLobby(0, true),
  "lobby-guest": openLobby(1, true),
  invited: async (page, baseUrl) => {
    const { id, seats } = await openGame(createClient({ baseUrl }), {
      rules: "trebor",
      players: 4,
      seats: [{ name: "Ann" }, {}, {}, {}],
    });
    const free = seats.slice(1).map(({ token }) => token);
    await page.goto(`${baseUrl}/table#game=${id}&seats=.${free.join(".")}`);
    await page.waitForSelector(".lobby form");
  },
};

/** Shows a page in each size of a window. */
export async function* sized(page: Page): AsyncGenerator<string> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    yield `${width}x${height}`;
  }
}
