import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Service } from "./support/service.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [first = ""] = Array.from(README.matchAll(/```js\n(.*?)```/gs), (block) => block[1]);

test("the first game of the README has at most twenty lines, and is played to its end", async () => {
  assert(first.split("\n").filter((line) => line.trim()).length <= 20);
  await using service = await Service.start();
  const program = first.replace("http://127.0.0.1:8000", service.baseUrl);
  const options = ["--import", "tsx", "--conditions=catch-the-ten:source", "--input-type=module", "--eval", program];
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd, timeout: 60_000 });
  const lines = stdout.trim().split("\n");
  assert.match(lines[0] ?? "", /^Seat [0-3] plays (10|[6-9JQKA])[♣♦♥♠]/);
  assert.match(lines.at(-1) ?? "", /^Side [01] wins$/);
});
