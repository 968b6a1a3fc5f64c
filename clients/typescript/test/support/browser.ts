import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";

/** Where a Chromium may be. */
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const executablePath = (process.env.CHROMIUM ? [process.env.CHROMIUM] : PLACES).find(existsSync);

/** Why tests in a browser are skipped; false if they are not. */
export const withoutBrowser = executablePath === undefined && "there is no Chromium; CHROMIUM may name one";

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
  return chromium.launch({ executablePath: executablePath ?? assert.fail(), args: ARGS });
}

/** A server of one page that has a script, bundled from a module. */
export class PageServer implements AsyncDisposable {
  readonly origin: string;
  readonly #close: () => Promise<void>;

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin;
    this.#close = close;
  }

  static async start(html: string, module: URL): Promise<PageServer> {
    const entryPoints = [fileURLToPath(module)];
    const bundle = await build({
      entryPoints,
      bundle: true,
      format: "esm",
      conditions: ["catch-the-ten:source"],
      write: false,
    });
    const script = bundle.outputFiles[0]?.text;
    const server = createServer((request, response) => {
      const isScript = request.url?.endsWith(".js");
      response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
      response.end(isScript ? script : html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
    return new PageServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, close);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
