// Makes the pictures of all moments at all sizes, to be looked at: npm run moments --workspace table -- FOLDER.
// A sheet for each moment stands beside them. Chromium must be there.
import { mkdirSync, readFileSync } from "node:fs";
import { launch } from "../typescript/test/support/browser.ts";
import { Service } from "../typescript/test/support/service.ts";
import { MOMENTS, sized } from "./test/moments.ts";
import { openPage } from "./test/watch.ts";

const [folder = "moments", ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await using service = await Service.start();
const browser = await launch();
const sheet = await browser.newPage({ viewport: { width: 2000, height: 100 } });
for (const [at, [name, come]] of Object.entries(MOMENTS).entries()) {
  if (only.length > 0 && !only.includes(name)) continue;
  const dark = at % 2 === 1;
  const locale = (at >> 1) % 2 ? "de-DE" : "en-GB";
  const [page] = await openPage(browser, service.baseUrl, dark, undefined, { locale });
  await come(page, service.baseUrl);
  const pictures: string[] = [];
  for await (const size of sized(page)) {
    const path = `${folder}/${name}-${size}.png`;
    await page.screenshot({ path });
    pictures.push(`<img height=480 src="data:image/png;base64,${readFileSync(path).toString("base64")}">`);
  }
  await page.context().close();
  await sheet.setContent(pictures.join(" "));
  await sheet.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
await browser.close();
