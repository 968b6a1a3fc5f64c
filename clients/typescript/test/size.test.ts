import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const PACKAGE = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Returns what a page loads that has this line, minified and compressed, in bytes. */
async function measure(line: string): Promise<number> {
  const resolveDir = fileURLToPath(new URL("..", import.meta.url));
  const stdin = { contents: line, resolveDir };
  const bundle = await build({
    stdin,
    bundle: true,
    minify: true,
    format: "esm",
    conditions: ["catch-the-ten:source"],
    write: false,
  });
  return gzipSync(bundle.outputFiles[0]?.contents ?? assert.fail()).length;
}

test("all of the package has at most 12 KB with its two dependencies", async (context) => {
  const bytes = await measure('export * from "catch-the-ten"');
  context.diagnostic(`${bytes} bytes`);
  assert(bytes <= 12 * 1024);
  assert.deepEqual(Object.keys(PACKAGE.dependencies).sort(), ["eventsource-parser", "openapi-fetch"]);
});

test("who takes a part does not load the rest", async () => {
  assert((await measure('import { cardText } from "catch-the-ten"; console.log(cardText("TH"))')) < 600);
  const questions = await measure('export { ask, createClient } from "catch-the-ten"');
  assert(questions < (await measure('export * from "catch-the-ten"')) - 2000);
});
