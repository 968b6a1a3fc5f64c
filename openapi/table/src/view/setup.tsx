import type { Rules, Ruleset } from "catch-the-ten";
import { useEffect, useRef, useState } from "preact/hooks";
import { houseRules } from "../house-rules.ts";
import { type Choice, FIRST_CHOICE } from "../solo.ts";

const OTHERS: readonly [Choice["others"], string][] = [
  ["easy", "the computer: easy"],
  ["medium", "the computer: medium"],
  ["hard", "the computer: hard"],
  ["any", "the computer: any card"],
  ["people", "people, each by a link"],
];

/** The choice of a new game: which printed rules, how many players, who sits with whom, how the computer plays. */
export function Setup({
  rulesets,
  close,
  start,
}: {
  rulesets: readonly Ruleset[];
  close: () => void;
  start: (choice: Choice) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState<Choice>(FIRST_CHOICE);
  const [target, setTarget] = useState<number>();
  useEffect(() => dialog.current?.showModal(), []);
  const rules = rulesets.find(({ id }) => id === choice.rules) ?? rulesets[0];
  if (rules === undefined) return null;
  const table = rules.tables.find(({ players }) => players === choice.players) ?? rules.tables[0];
  if (table === undefined) return null;
  const sides = table.sides.includes(choice.sides) ? choice.sides : (table.sides[0] ?? table.players);
  const change = (changed: Partial<Choice>): void => setChoice({ ...choice, ...changed });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    start({
      ...choice,
      rules: houseRules(rules, { target: target ?? rules.target ?? 41 }),
      players: table.players,
      sides,
    });
  };
  return (
    <dialog ref={dialog} aria-labelledby="setup-title" onClose={close}>
      <form onSubmit={submit}>
        <h2 id="setup-title">New game</h2>
        <label>
          Rules
          <select value={rules.id} onChange={(event) => change({ rules: event.currentTarget.value as Rules })}>
            {rulesets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p class="hint">{(rules.description ?? "").split(". ")[0]}.</p>
        <label>
          Players
          <select value={table.players} onChange={(event) => change({ players: Number(event.currentTarget.value) })}>
            {rules.tables.map(({ players }) => (
              <option key={players} value={players}>
                {players}
              </option>
            ))}
          </select>
        </label>
        <label>
          Sides
          <select value={sides} onChange={(event) => change({ sides: Number(event.currentTarget.value) })}>
            {table.sides.map((number) => (
              <option key={number} value={number}>
                {number === table.players ? "each plays alone" : `${number} sides of ${table.players / number}`}
              </option>
            ))}
          </select>
        </label>
        <label>
          The other seats
          <select
            value={choice.others}
            onChange={(event) => change({ others: event.currentTarget.value as Choice["others"] })}
          >
            {OTHERS.map(([others, text]) => (
              <option key={others} value={others}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Points that win the game
          <input
            type="number"
            min={1}
            max={1000}
            required
            value={target ?? rules.target ?? 41}
            onInput={(event) => setTarget(event.currentTarget.valueAsNumber)}
          />
        </label>
        <label>
          Seed of the deal
          <input
            type="text"
            maxLength={128}
            pattern="[A-Za-z0-9._~\-]*"
            title="Letters, digits and . _ ~ -"
            autocomplete="off"
            placeholder="a new one"
            value={choice.seed}
            onInput={(event) => change({ seed: event.currentTarget.value })}
          />
        </label>
        <p class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="main">
            Deal
          </button>
        </p>
      </form>
    </dialog>
  );
}
