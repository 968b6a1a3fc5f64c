import type { Ruleset, TableRule } from "catch-the-ten";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  findChanges,
  findPreset,
  PRESETS,
  type Preset,
  RULE_FIELDS,
  sayName,
  TABLE_FIELDS,
  takePreset,
  type Values,
} from "../house-rules.ts";
import { say, translate } from "../words/words.ts";
import { type Faults, RuleFields } from "./rule-fields.tsx";
import { Select } from "./select.tsx";

/** Every rule that a table can change, folded up until somebody looks for it or it is at fault. */
export function HouseRules({
  printed,
  rules,
  table,
  faults,
  change,
}: {
  /** The rules as they are printed. */
  printed: Ruleset;
  rules: Ruleset;
  /** The one of its tables that is laid. */
  table: TableRule;
  faults: Faults;
  change: (rules: Ruleset) => void;
}) {
  const fold = useRef<HTMLDetailsElement>(null);
  /** Counts how often the rules were taken as they are printed, so that what was typed is gone then. */
  const [resets, setResets] = useState(0);
  const open = (): void => {
    if (fold.current) fold.current.open = true;
  };
  useEffect(() => {
    const faulty = fold.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (faulty) open();
    faulty?.focus();
  }, [faults]);
  const changes = findChanges(printed, rules);
  const take = (taken: Ruleset): void => {
    setResets(resets + 1);
    change(taken);
  };
  const preset = findPreset(printed, rules);
  const changeTable = (changed: Values): void =>
    change({ ...rules, tables: rules.tables.map((one) => (one === table ? { ...table, ...changed } : one)) });
  return (
    <>
      <Select
        label={say("preset.label")}
        value={preset ?? ""}
        options={[
          ...(Object.keys(PRESETS) as Preset[]).map((one) => [one, say(`preset.${one}`)] as const),
          ...(preset === undefined ? [["", say("preset.own")] as const] : []),
        ]}
        change={(one) => one && take(takePreset(printed, rules, one))}
      />
      <details class="house" ref={fold} onInvalidCapture={open}>
        <summary>
          {say("house.title")}{" "}
          <small>
            {changes.length > 0
              ? say("house.changed", { names: changes.map((name) => translate(sayName(name))).join(", ") })
              : say("house.none")}
          </small>
        </summary>
        <p class="hint">
          {say("house.printed")}{" "}
          <a href="rulesets" target="_blank" rel="noopener">
            {say("house.books")}
          </a>
        </p>
        {changes.length > 0 && (
          <button type="button" onClick={() => take(printed)}>
            {say("house.reset")}
          </button>
        )}
        <div class="rules" key={`${printed.id} ${table.players} ${resets}`}>
          <RuleFields
            fields={RULE_FIELDS}
            value={rules as unknown as Values}
            change={(changed) => change(changed as unknown as Ruleset)}
            pointer="/rules"
            faults={faults}
          />
          <fieldset>
            <legend>{say("house.table", { players: table.players })}</legend>
            <RuleFields
              fields={TABLE_FIELDS}
              value={table as unknown as Values}
              change={changeTable}
              pointer={`/rules/tables/${rules.tables.indexOf(table)}`}
              faults={faults}
            />
          </fieldset>
        </div>
      </details>
    </>
  );
}
