import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";

/** The Chromium to test with; the environment may name another one. */
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why tests in a browser are skipped; false if they are not. */
export const withoutBrowser = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`;

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser without a window. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
}

/** A server of one empty page that has a script, bundled from a module of the tests. */
export class PageServer implements AsyncDisposable {
  readonly origin: string;
  readonly #close: () => Promise<void>;

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin;
    this.#close = close;
  }

  static async start(module: URL): Promise<PageServer> {
    const entryPoints = [fileURLToPath(module)];
    const bundle = await build({ entryPoints, bundle: true, format: "esm", conditions: ["source"], write: false });
    const script = bundle.outputFiles[0]?.text;
    const server = createServer((request, response) => {
      const isScript = request.url === "/page.js";
      response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
      response.end(
        isScript ? script : '<!doctype html><title>Test</title><script type="module" src="/page.js"></script>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
    return new PageServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, close);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
