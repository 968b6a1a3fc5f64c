/** House rules: a printed ruleset with something changed. */

import type { Rules, Ruleset, TableRule } from "catch-the-ten";
import FIELDS from "./ruleset-schema.json" with { type: "json" };

/** A field of a ruleset, as the service describes it: enough of JSON Schema to draw a form. */
export interface Field {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Field;
  readonly anyOf?: readonly Field[];
  readonly properties?: Fields;
}
export type Fields = Readonly<Record<string, Field>>;
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };
export type Values = Readonly<Record<string, Value>>;

const { tables, ...fields } = FIELDS as Fields;
/** The fields of a table for a number of players, without that number. */
const { players, ...tableFields } = tables?.items?.properties ?? {};
/** The fields of a ruleset but for its tables. */
export const RULE_FIELDS: Fields = fields;
export const TABLE_FIELDS: Fields = tableFields;
/** The numbers of players that a ruleset may have tables for. */
export const PLAYERS: readonly number[] = Array.from(
  { length: (players?.maximum ?? 8) - (players?.minimum ?? 2) + 1 },
  (_, more) => (players?.minimum ?? 2) + more,
);

export const PACK_SIZE = 36;
const PREFIX = "house-";

/** Returns the printed ruleset that rules are, or were before something was changed; the first if none of them is. */
export function findPrinted(rules: Rules, rulesets: readonly Ruleset[]): Ruleset | undefined {
  const id = typeof rules === "string" ? rules : rules.id.replace(PREFIX, "");
  return rulesets.find((printed) => printed.id === id) ?? rulesets[0];
}

/** Returns the ruleset that rules are; undefined until the printed ones are read. */
export function findRules(rules: Rules, rulesets: readonly Ruleset[]): Ruleset | undefined {
  return typeof rules === "string" ? rulesets.find(({ id }) => id === rules) : rules;
}

/** Returns the names of the fields in which a ruleset differs from a printed one. */
export function findChanges(printed: Ruleset, rules: Ruleset): (keyof typeof FIELDS)[] {
  const names = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  return names.filter((name) => JSON.stringify(rules[name]) !== JSON.stringify(printed[name]));
}

/**
 * Returns the id of a printed ruleset or, if something is changed, a ruleset with an id and a name of its own.
 *
 * A changed field has no printed source any more.
 */
export function houseRules(printed: Ruleset, rules: Ruleset): Rules {
  const changes = findChanges(printed, rules);
  if (changes.length === 0) return printed.id as Rules;
  const sources = { ...printed.sources };
  for (const name of changes) delete sources[name];
  const description = `${printed.name} with other rules for ${changes.map(sayName).join(", ")}.`;
  return {
    ...rules,
    id: PREFIX + printed.id,
    name: `House rules, after ${printed.name}`.slice(0, 60),
    description,
    sources,
  };
}

/** The house rules that most tables want, each by what it changes. */
export const PRESETS = {
  printed: {},
  short: { target: 21 },
  long: { target: 61 },
  trump: { void: "trump_if_able" },
} as const satisfies Record<string, Partial<Ruleset>>;
export type Preset = keyof typeof PRESETS;

/** Returns the rules of a preset, with the tables that there are. */
export function takePreset(printed: Ruleset, rules: Ruleset, preset: Preset): Ruleset {
  return { ...printed, tables: rules.tables, ...PRESETS[preset] };
}

/** Returns the preset that rules are; undefined for rules of one's own. */
export function findPreset(printed: Ruleset, rules: Ruleset): Preset | undefined {
  const presets = Object.keys(PRESETS) as Preset[];
  return presets.find((preset) => findChanges(takePreset(printed, rules, preset), rules).length === 0);
}

/** Returns a ruleset that has a table for so many players: where it has none, one for the whole pack, each alone. */
export function withTable(rules: Ruleset, players: number): [Ruleset, TableRule] {
  const found = rules.tables.find((table) => table.players === players);
  if (found !== undefined) return [rules, found];
  const table = { players, hands: 1, cards: Math.floor(PACK_SIZE / players), sides: [players], strip: [] };
  return [{ ...rules, tables: [...rules.tables, table] }, table];
}

/** Returns the name of a field or of a choice as people read it. */
export function sayName(name: string): string {
  return name.replaceAll("_", " ");
}

/** Returns a text of the document as people read it: names of fields and choices are words in it. */
export function sayText(text: string): string {
  return sayName(text).replaceAll("`", "").replace("null:", "Left empty:");
}

/** Returns a value with which a field can begin. */
export function firstValue(field: Field): Value {
  if (field.enum) return field.enum[0] ?? "";
  if (field.properties) {
    return Object.fromEntries(Object.entries(field.properties).map(([name, one]) => [name, firstValue(one)]));
  }
  return field.minimum ?? null;
}

/** Reads a list as it is typed; what is no number where one belongs is left as it is, for the service to refuse. */
export function readList(text: string, { type }: Field): Value {
  const typed = text.split(/[\s,]+/).filter((one) => one !== "");
  return typed.map((one) => (type === "integer" && /^\d+$/.test(one) ? Number(one) : one));
}

/** Rules as an address says them: the printed ruleset, and what is changed in it. */
export interface ShortRules {
  readonly of: string;
  readonly changes: Partial<Ruleset>;
}

/** Returns house rules as an address says them. */
export function shorten(rules: Ruleset, rulesets: readonly Ruleset[]): ShortRules | undefined {
  const printed = findPrinted(rules, rulesets);
  if (printed === undefined) return undefined;
  const changes = findChanges(printed, rules).map((name) => [name, rules[name]]);
  return { of: printed.id, changes: Object.fromEntries(changes) };
}

/** Returns the rules that an address says. */
export function expand({ of, changes }: ShortRules, rulesets: readonly Ruleset[]): Rules {
  const printed = findPrinted(of as Rules, rulesets);
  return printed === undefined ? (of as Rules) : houseRules(printed, { ...printed, ...changes });
}
