// Builds the page /table: what a browser loads, committed where the service finds it, so that a checkout serves it without
// Node. built.sha256 is a digest over the sources and what is built of them: a test without Node sees what is not current.
// With --check nothing is written, and it fails if anything that is committed is not as it is built.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

const STATIC = "../../service/api/pages/static";
const CLIENTS = "..";
const DIGEST = "built.sha256";

/** The languages that are loaded when they are wanted: each is a file. */
const languages = readdirSync("src/words").filter((name) => name !== "en.ts" && name !== "words.ts");

const { outputFiles: page } = await build({
  entryPoints: [
    { in: "src/table.tsx", out: "table" },
    { in: "src/table.css", out: "table" },
    ...languages.map((name) => ({ in: `src/words/${name}`, out: `table-${name.replace(".ts", "")}` })),
  ],
  outdir: STATIC,
  bundle: true,
  write: false,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  conditions: ["catch-the-ten:source"],
  legalComments: "inline",
  logLevel: "warning",
});

const {
  outputFiles: [picture],
} = await build({
  entryPoints: ["src/deal.ts"],
  bundle: true,
  write: false,
  format: "esm",
  conditions: ["catch-the-ten:source"],
  logLevel: "warning",
});
const { drawDeal } = await import(`data:text/javascript,${encodeURIComponent(picture.text)}`);

/** Lists the files in a folder, or the one file that is named; schema.ts is made, and has only types. */
function list(path) {
  if (path.endsWith("schema.ts")) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => list(join(path, name)));
}

const built = new Map(page.map(({ path, contents }) => [relative(".", path), Buffer.from(contents)]));
built.set(join(STATIC, "deal.svg"), Buffer.from(drawDeal()));
const sources = ["../typescript/src", "src", "build.mjs", "../package-lock.json"].flatMap(list);
const hash = createHash("sha256");
for (const path of [...sources, ...built.keys()].sort((one, other) => (named(one) < named(other) ? -1 : 1)))
  hash
    .update(`${named(path)}\0`)
    .update(built.get(path) ?? readFileSync(path))
    .update("\0");
built.set(DIGEST, Buffer.from(`${hash.digest("hex")}\n`));

/** Names a file as seen from clients. */
function named(path) {
  return relative(CLIENTS, path);
}

for (const [path, contents] of built) {
  if (existsSync(path) && readFileSync(path).equals(contents)) continue;
  if (process.argv.includes("--check")) process.exitCode = 1;
  else writeFileSync(path, contents);
  console.log(`${process.exitCode ? "not current" : "built"}: ${relative(CLIENTS, path)}`);
}
