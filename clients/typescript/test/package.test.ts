import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as source from "../src/index.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const run = (command: string, ...words: string[]) =>
  promisify(execFile)(command, words, { cwd: PACKAGE }).catch((error) => assert.fail(error.stdout + error.stderr));
const tsc = (...words: string[]) => run("../node_modules/.bin/tsc", ...words);

/** The names that the snippets of the README take from the page around them. */
const AROUND = `
declare const client: Client, id: string, token: string, signal: AbortSignal, card: Card;
declare function showConnection(connected: boolean): void;
declare function animate(event: GameEvent): Promise<void>;
declare function draw(state: LiveGame): void;
declare function lift(cards: Card[] | null): void;
declare function show(text: string): void;
`;

before(() => tsc("-p", "tsconfig.build.json"));

test("the built package has what its source has, in Node as it is", async () => {
  const program = 'import * as built from "catch-the-ten"; console.log(JSON.stringify(Object.keys(built)));';
  const { stdout } = await run(process.execPath, "--input-type=module", "--eval", program);
  assert.deepEqual(JSON.parse(stdout), Object.keys(source).sort());
});

test("the snippets of the README compile strictly with the types of the built package", async () => {
  const readme = await readFile(join(PACKAGE, "README.md"), "utf8");
  const snippets = Array.from(readme.matchAll(/```js\n(.*?)```/gs), (found) => found[1] ?? "").slice(1);
  assert.equal(snippets.length, 3);
  const types = "import type { Card, Client, Game, GameEvent, LiveGame } from 'catch-the-ten';\n";
  const values = `import { ${Object.keys(source).join(", ")} } from "catch-the-ten";\n`;
  const functions = snippets.map((snippet, at) => `export async function snippet${at}(game: Game) {{\n${snippet}}}\n`);
  const folder = await mkdtemp(join(PACKAGE, "test", "snippets-"));
  try {
    const file = join(folder, "snippets.mts");
    await writeFile(file, types + values + AROUND + functions.join(""));
    const options = { noEmit: true, strict: true, module: "nodenext", target: "es2022", types: [] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: [file] }));
    await tsc("-p", folder);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a project with the module resolution of Node 10 finds the types and the entry", async () => {
  const folder = await mkdtemp(join(PACKAGE, "test", "node10-"));
  try {
    const program =
      'import { cardName, type Card } from "catch-the-ten";\nconst ten: Card = "TH";\nconsole.log(cardName(ten));\n';
    const file = join(folder, "consumer.ts");
    await writeFile(file, program);
    const options = { strict: true, module: "esnext", moduleResolution: "node10", target: "es2022", types: [] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: [file] }));
    await tsc("-p", folder);
    const { stdout } = await run(process.execPath, join(folder, "consumer.js"));
    assert.equal(stdout, "ten of hearts\n");
    const { main, types } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
    assert.deepEqual([main, types], ["./dist/index.js", "./dist/index.d.ts"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("npm packs the built modules, their types, the README and the license", async () => {
  const { stdout } = await run("npm", "pack", "--dry-run", "--json", "--ignore-scripts");
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  for (const name of ["dist/index.js", "dist/index.d.ts", "README.md", "package.json"])
    assert(paths.includes(name), name);
  assert.deepEqual(
    paths.filter((path) => /^(src|test|examples)\//.test(path)),
    [],
  );
});
