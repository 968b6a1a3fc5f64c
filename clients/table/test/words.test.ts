import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Field, RULE_FIELDS, sayName, TABLE_FIELDS } from "../src/house-rules.ts";
import { EN } from "../src/words/en.ts";
import { LANGUAGES, type Sentences, type Texts } from "../src/words/words.ts";

const SOURCES = new URL("../src/", import.meta.url);
const others = Object.keys(LANGUAGES).filter((tag) => tag !== "en");

function readLanguage(tag: string): Promise<{ SENTENCES: Sentences; TEXTS: Texts }> {
  return import(`../src/words/${tag}.ts`);
}

function readSource(path: string): string {
  return readFileSync(new URL(path, SOURCES), "utf8");
}

const views = readdirSync(new URL("view/", SOURCES)).map((name) => `view/${name}`);
const modules = readdirSync(SOURCES).filter((name) => /\.tsx?$/.test(name));

/** Lists the arguments of a sentence. */
function argumentsOf(sentence: string): string[] {
  return [...new Set(sentence.match(/\{\w+\}/g))].sort();
}

test("there is a file for each language, and no other", () => {
  const files = readdirSync(new URL("words/", SOURCES)).filter((name) => name !== "words.ts");
  assert.deepEqual(files.map((name) => name.replace(".ts", "")).sort(), Object.keys(LANGUAGES).sort());
});

for (const tag of others) {
  test(`every sentence is there in ${tag}, with the same arguments`, async () => {
    const { SENTENCES } = await readLanguage(tag);
    assert.deepEqual(Object.keys(SENTENCES).sort(), Object.keys(EN).sort());
    for (const [code, sentence] of Object.entries(EN)) {
      const said = SENTENCES[code as keyof Sentences];
      assert.notEqual(said.trim(), "", code);
      assert.deepEqual(argumentsOf(said), argumentsOf(sentence), code);
    }
  });

  test(`every rule that can be changed has its name, its choices and its meaning in ${tag}`, async () => {
    const { TEXTS } = await readLanguage(tag);
    const missing = [...textsOf({ properties: { ...RULE_FIELDS, ...TABLE_FIELDS } })].filter(
      (text) => !(text in TEXTS),
    );
    assert.deepEqual(missing, []);
  });
}

/** Lists what a form says of a field and of the fields in it. */
function* textsOf(field: Field): Generator<string> {
  for (const choice of field.enum ?? []) yield sayName(choice);
  for (const one of field.anyOf ?? []) {
    if (one.properties) yield (one.title ?? "").toLowerCase();
    yield* textsOf(one);
  }
  for (const [name, one] of Object.entries(field.properties ?? {})) {
    if (one.enum?.length === 1) continue; // nothing to choose
    yield sayName(name);
    if (one.description) yield one.description;
    yield* textsOf(one);
  }
}

test("every sentence is said somewhere", () => {
  const text = [...modules, ...views, "words/words.ts"].map(readSource).join("\n");
  const unsaid = Object.keys(EN).filter((code) => {
    const form = code.replace(/\.you$/, "");
    const start = form.slice(0, form.indexOf(".") + 1);
    return !text.includes(`"${form}"`) && !(start && text.includes(`\`${start}\${`));
  });
  assert.deepEqual(unsaid, []);
});

test("no view has a sentence of its own", () => {
  const own = views.flatMap((path) =>
    readSource(path)
      .split("\n")
      .filter((line) => /^\s+[A-Z][a-z]+( [a-z]+)*[.…]?$|(aria-label|title|label|placeholder)="[A-Z]/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  assert.deepEqual(own, []);
});
