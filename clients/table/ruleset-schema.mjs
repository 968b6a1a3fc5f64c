// Writes src/ruleset-schema.json: the fields of a ruleset that a table can change, as the document describes them.
import { readFileSync, writeFileSync } from "node:fs";

const { schemas } = JSON.parse(readFileSync("../../openapi/openapi.json", "utf8")).components;
/** What is said about a ruleset, and is no rule. */
const ABOUT = ["id", "name", "description", "sources"];
/** What the form needs of a schema. */
const KEPT = ["title", "type", "enum", "minimum", "maximum", "items", "anyOf", "properties"];

/** Returns a schema with what it refers to in place; what is said where it is used goes before. */
function inline({ $ref, ...own }) {
  const schema = { ...($ref ? schemas[$ref.split("/").at(-1)] : {}), ...own };
  const kept = Object.fromEntries(KEPT.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])));
  if (schema.items) kept.items = inline(schema.items);
  if (schema.anyOf) kept.anyOf = schema.anyOf.map(inline);
  if (schema.properties) kept.properties = inlineAll(schema.properties);
  // The form sends every field, so that nobody needs to know what is meant where one is left out.
  return { ...kept, description: schema.description?.replace(/ If left out: .*$/, "") };
}

function inlineAll(properties) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, inline(schema)]));
}

const fields = inlineAll(schemas.Ruleset.properties);
for (const name of ABOUT) delete fields[name];
writeFileSync("src/ruleset-schema.json", `${JSON.stringify(fields, null, 2)}\n`);
