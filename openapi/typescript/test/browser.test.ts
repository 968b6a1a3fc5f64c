import { test } from "node:test";
import { createClient, openGame } from "../src/index.ts";
import { launch, PageServer, withoutBrowser } from "./support/browser.ts";
import { checkGame } from "./support/check.ts";
import { BAD, BadNetwork } from "./support/network.ts";
import { Service } from "./support/service.ts";

test("four windows of a browser play a whole game of another origin over a bad network", {
  skip: withoutBrowser,
}, async () => {
  await using pages = await PageServer.start(new URL("./support/page.ts", import.meta.url));
  await using service = await Service.start({ STREAM_HEARTBEAT: "0.5", CORS_ORIGINS: pages.origin });
  await using network = await BadNetwork.start(service.baseUrl, BAD, 2);
  const game = await openGame(createClient({ baseUrl: service.baseUrl }), { rules: "trebor", players: 4 });
  const browser = await launch();
  try {
    const reports = await Promise.all(
      game.tokens.map(async (token) => {
        const page = await (await browser.newContext()).newPage();
        await page.goto(pages.origin);
        await page.waitForFunction(() => "play" in window);
        const seat = { baseUrl: network.baseUrl, invitation: { id: game.id, token } };
        return page.evaluate(({ baseUrl, invitation }) => window.play(baseUrl, invitation, 1500), seat);
      }),
    );
    await checkGame(service.baseUrl, game, reports);
  } finally {
    await browser.close();
  }
});
