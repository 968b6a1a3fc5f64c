// Check every example answer with the zod schemas that hey-api made.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const schemas = createRequire(`${process.cwd()}/`)("./out/zod/zod.gen.js");
const answers = JSON.parse(readFileSync("answers.json", "utf8"));
for (const { type, answer } of answers) {
  const { success, error } = schemas[`z${type}`].safeParse(answer);
  if (!success) throw new Error(`${type}: ${error}`);
}
console.log(`${answers.length} answers read`);
