// Makes anew what is committed and made from something else: npm run generate. generated.json lists it, each with a
// digest over all that it is made from and itself, so that a test without Node sees what is not current. With --check it
// makes everything, and fails if anything was not as it is made.
import { execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

process.chdir(import.meta.dirname);
const LIST = "generated.json";

/** Lists the files in a folder, or the one file that is named. */
function list(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => list(join(path, name)));
}

/** Digests names and contents, in the order of the names. */
function digest(paths) {
  const hash = createHash("sha256");
  for (const name of paths.flatMap(list).sort()) hash.update(`${name}\0`).update(readFileSync(name)).update("\0");
  return hash.digest("hex");
}

const check = process.argv.includes("--check");
const steps = JSON.parse(readFileSync(LIST, "utf8"));
for (const step of steps) {
  const all = [...step.from, ...step.made];
  const before = digest(all);
  if (step.sha256 === before && !check) continue;
  execSync(step.by, { stdio: ["ignore", "ignore", "inherit"] });
  step.sha256 = digest(all);
  const changed = step.sha256 !== before;
  if (changed) console.log(`made: ${step.made.join(", ")}`);
  if (changed && check) process.exitCode = 1;
}
writeFileSync(LIST, `${JSON.stringify(steps, null, 2)}\n`);
