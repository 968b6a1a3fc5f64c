// Makes the pictures of the pages in docs/pictures: npm run pictures --workspace table. Chromium must be there.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ask, createClient } from "catch-the-ten";
import { launch } from "../typescript/test/support/browser.ts";
import { Service } from "../typescript/test/support/service.ts";
import { MOMENTS } from "./test/moments.ts";
import { openPage } from "./test/watch.ts";

const FOLDER = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };

/** What docs/table.md shows: a moment, a size, whether it is dark, and the language. */
const CHOSEN = [
  ["hint", [1280, 800], false, "en"],
  ["illegal", [390, 844], false, "en"],
  ["outcome", [390, 844], true, "de"],
  ["board", [820, 1180], false, "en"],
  ["how", [390, 844], false, "en"],
  ["last-trick", [844, 390], true, "en"],
  ["eight", [1366, 625], false, "de"],
  ["lobby", [1280, 800], true, "en"],
] as const;

/** Returns a position in the middle of a trick, in which the last seat is to play. */
async function findPosition(baseUrl: string): Promise<string> {
  const client = createClient({ baseUrl });
  let { position } = await ask(client, "deals", { rules: "trebor", players: 4, dealer: 0, seed: "ailsa-craig" });
  while (position.state.taken.flat().length < 8 || position.state.trick.length < 3) {
    const { card } = await ask(client, "suggestions", { state: position.state, level: "medium" });
    ({ position } = await ask(client, "next-states", { state: position.state, cards: [card] }));
  }
  return position.notation ?? "";
}

await using service = await Service.start();
const position = await findPosition(service.baseUrl);
const browser = await launch();
mkdirSync(FOLDER, { recursive: true });
const views = [
  { name: "table", path: `/table#position=${position}`, sign: ".card.legal", viewport: WIDE, colorScheme: "light" },
  {
    name: "table-narrow",
    path: `/table#position=${position}`,
    sign: ".card.legal",
    viewport: NARROW,
    colorScheme: "dark",
  },
  { name: "docs", path: "/docs#/Questions/verdicts", sign: ".snippets", viewport: WIDE, colorScheme: "light" },
] as const;
for (const { name, path, sign, viewport, colorScheme } of views) {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
  await page.goto(service.baseUrl + path);
  await page.locator(sign).first().scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${FOLDER}${name}.jpg`, quality: 82 });
  await page.close();
}
for (const [name, [width, height], dark, locale] of CHOSEN) {
  const [page] = await openPage(browser, service.baseUrl, dark, { width, height }, { locale });
  await MOMENTS[name]?.(page, service.baseUrl);
  await page.screenshot({ path: `${FOLDER}table-${name}.jpg`, quality: 74 });
  await page.context().close();
}
await browser.close();
