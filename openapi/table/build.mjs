// Builds the page /table: what a browser loads, committed where the service finds it.
import { build } from "esbuild";

await build({
  entryPoints: ["src/table.tsx", "src/table.css"],
  outdir: "../../service/api/static",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  conditions: ["source"],
  legalComments: "inline",
  logLevel: "warning",
});
