// Builds the page /table: what a browser loads, committed where the service finds it.
import { writeFileSync } from "node:fs";
import { build } from "esbuild";

await build({
  entryPoints: ["src/table.tsx", "src/table.css"],
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
