import type { Rules, Ruleset } from "catch-the-ten";
import { findChanges, findPrinted, sayName, type Value } from "../house-rules.ts";
import { say, translate } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";

/** By which rules a game is played: a book's, and what the table has changed in them. */
export function RulesInWords({
  rules,
  rulesets,
  close,
}: {
  rules: Rules;
  rulesets: readonly Ruleset[];
  close: () => void;
}) {
  const printed = findPrinted(rules, rulesets);
  if (printed === undefined) return null;
  const changes =
    typeof rules === "string" ? [] : findChanges(printed, rules).map((name) => ({ name, value: rules[name] }));
  return (
    <Dialog label={say("more.rules")} close={close}>
      <h2>{say("more.rules")}</h2>
      <p>{say(changes.length > 0 ? "rules.house" : "rules.as_printed", { name: printed.name })}</p>
      <ul class="changes">
        {changes.map(({ name, value }) => (
          <li key={name}>{say("rules.change", { rule: translate(sayName(name)), value: sayValue(value as Value) })}</li>
        ))}
      </ul>
      <p class="hint">{translate(`${(printed.description ?? "").split(". ")[0]}.`)}</p>
    </Dialog>
  );
}

/** Returns the value of a rule as people read it. */
function sayValue(value: Value): string {
  if (typeof value === "string") return translate(sayName(value));
  if (typeof value === "number") return String(value);
  if (value === null || typeof value === "boolean") return say(value ? "rules.yes" : "house.none");
  if (Array.isArray(value)) return value.map(sayValue).join(", ");
  return Object.entries(value)
    .map(([name, one]) => `${translate(sayName(name))} ${sayValue(one)}`)
    .join(", ");
}
