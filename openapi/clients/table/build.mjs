// Builds the page /table: what a browser loads, committed where the service finds it.
import { readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

/** The languages that are loaded when they are wanted: each is a file. */
const languages = readdirSync("src/words").filter((name) => name !== "en.ts" && name !== "words.ts");

await build({
  entryPoints: [
    { in: "src/table.tsx", out: "table" },
    { in: "src/table.css", out: "table" },
    ...languages.map((name) => ({ in: `src/words/${name}`, out: `table-${name.replace(".ts", "")}` })),
  ],
  outdir: "../../../service/api/pages/static",
  bundle: true,
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
writeFileSync("../../../service/api/pages/static/deal.svg", drawDeal());
