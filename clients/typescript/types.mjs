// Writes src/schema.ts from the OpenAPI document: npm run types. The document's answers are open, so that any client
// reads those of a later version; nothing checks them here, so the types name the values and events of today.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";

const raw = readFileSync("../../openapi/openapi.json", "utf8");
const text = JSON.stringify(JSON.parse(raw), (key, value) =>
  key === "additionalProperties" && value === true ? undefined : value,
).replaceAll('"x-extensible-enum"', '"enum"');
const document = JSON.parse(text);
const { schemas } = document.components;

/** Makes a schema of each variant of an object, and of the object their union. */
function splitVariants(flat) {
  const variants = Object.entries(flat["x-variants"]);
  const [tag] = flat.required;
  for (const [value, { title, description, fields }] of variants) {
    const own = Object.keys(fields).map((name) => [name, { ...flat.properties[name], description: fields[name] }]);
    const properties = { [tag]: { type: "string", enum: [value] }, ...Object.fromEntries(own) };
    schemas[title] = { description, type: "object", properties, required: Object.keys(properties) };
  }
  return {
    description: flat.description.split(" Its `")[0],
    oneOf: variants.map(([, { title }]) => ({ $ref: `#/components/schemas/${title}` })),
  };
}

schemas.GameEvent = splitVariants(schemas.GameEvent);
const names = Object.keys(schemas).sort();
document.components.schemas = Object.fromEntries(names.map((name) => [name, schemas[name]]));
const types = await openapiTS(document, { rootTypes: true, rootTypesNoSchemaPrefix: true });
writeFileSync("src/schema.ts", COMMENT_HEADER + astToString(types));
