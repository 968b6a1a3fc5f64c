import { type TestContext, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, withoutBrowser } from "../../typescript/test/support/browser.ts";
import { Service } from "../../typescript/test/support/service.ts";

/** Runs a test with a service of its own and a browser, which end with it; `settings` are the service's. */
export function testAtTable(
  name: string,
  work: (at: { service: Service; browser: Browser }, context: TestContext) => Promise<void>,
  settings: Record<string, string> = {},
): void {
  test(name, { skip: withoutBrowser }, async (context) => {
    await using service = await Service.start(settings);
    const browser = await launch();
    try {
      await work({ service, browser }, context);
    } finally {
      await browser.close();
    }
  });
}
