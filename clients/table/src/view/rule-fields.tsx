import type { RequestFault } from "catch-the-ten";
import { useId, useState } from "preact/hooks";
import { sayFault } from "../failure.ts";
import {
  type Field,
  type Fields,
  firstValue,
  readList,
  sayName,
  sayText,
  type Value,
  type Values,
} from "../house-rules.ts";
import { say, translate } from "../words/words.ts";

/** What all fields of a form share: what is wrong in a place of the request, by its JSON Pointer. */
export type Faults = readonly Pick<RequestFault, "pointer" | "code">[];

interface Editing<V> {
  readonly value: V;
  readonly change: (value: V) => void;
  readonly pointer: string;
  readonly faults: Faults;
}

/** A form for some fields, drawn from what the service says of each. */
export function RuleFields({ fields, value, change, pointer, faults }: Editing<Values> & { fields: Fields }) {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <RuleField
          key={name}
          name={name}
          field={field}
          value={value[name] ?? null}
          change={(changed) => change({ ...value, [name]: changed })}
          pointer={`${pointer}/${name}`}
          faults={faults}
        />
      ))}
    </>
  );
}

function RuleField({ name, field, ...editing }: Editing<Value> & { name: string; field: Field }) {
  if (field.enum?.length === 1) return null; // nothing to choose
  const title = translate(sayName(name));
  if (field.properties) {
    return (
      <fieldset>
        <legend>{title}</legend>
        <RuleFields {...(editing as Editing<Values>)} fields={field.properties} />
      </fieldset>
    );
  }
  const group = field.anyOf?.find(({ properties }) => properties);
  return group ? (
    <GroupField title={title} field={field} group={group} {...editing} />
  ) : (
    <Labeled title={title} field={field} {...editing} />
  );
}

/** A field that is one of some words, or a group of fields. */
function GroupField({
  title,
  field,
  group,
  ...editing
}: Editing<Value> & { title: string; field: Field; group: Field }) {
  const { value, change } = editing;
  const isGroup = typeof value === "object";
  const words = field.anyOf?.find((one) => one.enum)?.enum ?? [];
  const name = (group.title ?? "").toLowerCase();
  const choose = (chosen: Value): void => change(chosen === name ? firstValue(group) : chosen);
  return (
    <>
      <Labeled
        {...editing}
        title={title}
        field={{ ...field, enum: [...words, name] }}
        value={isGroup ? name : value}
        change={choose}
      />
      {isGroup && (
        <fieldset>
          <legend>{translate(name)}</legend>
          <RuleFields {...(editing as Editing<Values>)} fields={group.properties ?? {}} />
        </fieldset>
      )}
    </>
  );
}

/** A field with its name, what it means, and what is wrong with it. */
function Labeled({ title, field, pointer, faults, ...editing }: Editing<Value> & { title: string; field: Field }) {
  const id = useId();
  const fault = faults.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  const attributes = { id, "aria-describedby": `${id}-hint ${id}-fault`, "aria-invalid": fault !== undefined };
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <Control {...editing} field={field} attributes={attributes} />
      <p class="hint" id={`${id}-hint`}>
        {sayText(translate(field.description ?? ""))}
      </p>
      <p class="fault" id={`${id}-fault`}>
        {fault && sayFault(fault)}
      </p>
    </div>
  );
}

interface ControlProps extends Pick<Editing<Value>, "value" | "change"> {
  readonly field: Field;
  readonly attributes: { readonly id: string };
}

function Control({ field, value, change, attributes }: ControlProps) {
  if (field.type === "boolean") {
    const toggle = (event: { currentTarget: HTMLInputElement }): void => change(event.currentTarget.checked);
    return <input {...attributes} type="checkbox" checked={value === true} onChange={toggle} />;
  }
  if (field.enum) {
    return (
      <select {...attributes} value={String(value)} onChange={(event) => change(event.currentTarget.value)}>
        {field.enum.map((word) => (
          <option key={word} value={word}>
            {translate(sayName(word))}
          </option>
        ))}
      </select>
    );
  }
  if (field.items) return <ListControl attributes={attributes} items={field.items} value={value} change={change} />;
  const number = field.anyOf?.find(({ type }) => type === "integer");
  const { minimum, maximum } = number ?? field;
  const write = (text: string): void => change(text === "" ? null : Number(text));
  return (
    <input
      {...attributes}
      type="number"
      min={minimum}
      max={maximum}
      required={number === undefined}
      placeholder={say("house.none")}
      value={value === null ? "" : String(value)}
      onInput={(event) => write(event.currentTarget.value)}
    />
  );
}

/** A list, typed with spaces between. */
function ListControl({ items, value, change, attributes }: Omit<ControlProps, "field"> & { items: Field }) {
  const [text, setText] = useState(Array.isArray(value) ? value.join(" ") : "");
  const type = (typed: string): void => {
    setText(typed);
    change(readList(typed, items));
  };
  return (
    <input
      {...attributes}
      type="text"
      autocomplete="off"
      placeholder={say("house.none")}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}
