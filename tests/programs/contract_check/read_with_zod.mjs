// Check every example answer with the zod schemas that hey-api made.
import { readFileSync } from "node:fs";
import * as schemas from "./zod/zod.gen.js";

for (const { type, answer } of JSON.parse(readFileSync("answers.json", "utf8"))) {
  const { success, error } = schemas[`z${type}`].safeParse(answer);
  if (!success) throw new Error(`${type}: ${error}`);
}
