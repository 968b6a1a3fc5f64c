import { isProblem, type Rules, type Ruleset } from "catch-the-ten";
import { useEffect, useRef, useState } from "preact/hooks";
import { readFailure } from "../failure.ts";
import { findPrinted, houseRules, PLAYERS, withTable } from "../house-rules.ts";
import type { Choice } from "../solo.ts";
import { say, translate } from "../words/words.ts";
import { NameField } from "./lobby.tsx";
import type { Faults } from "./rule-fields.tsx";
import { HouseRules } from "./rules-form.tsx";
import { Select } from "./select.tsx";

/** The seconds for a move among which who opens a game can choose; 0 for no limit. */
const LIMITS = [0, 15, 30, 60, 120];
const OTHERS: readonly Choice["others"][] = ["people", "easy", "medium", "hard", "any"];

/** The choice of a new game: which rules, how many players, who sits with whom, who plays the other seats. */
export function Setup({
  rulesets,
  first,
  close,
  start,
}: {
  rulesets: readonly Ruleset[];
  /** What is chosen at first. */
  first: Choice;
  close: () => void;
  /** Starts the game; where the service refuses it, the dialog says why. */
  start: (choice: Choice) => Promise<void>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState<Choice>(first);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ text: string; faults: Faults }>({ text: "", faults: [] });
  useEffect(() => dialog.current?.showModal(), []);
  const printed = findPrinted(choice.rules, rulesets);
  if (printed === undefined) return null;
  const [rules, table] = withTable(typeof choice.rules === "string" ? printed : choice.rules, choice.players);
  const sides = table.sides.includes(choice.sides) ? choice.sides : (table.sides[0] ?? table.players);
  const change = (changed: Partial<Choice>): void => setChoice({ ...choice, ...changed });
  /** Takes another book, and a table that it knows. */
  const open = (id: string): void => {
    const tables = rulesets.find((one) => one.id === id)?.tables ?? [];
    const players = (tables.find((one) => one.players === choice.players) ?? tables[0])?.players ?? choice.players;
    change({ rules: id as Rules, players });
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await start({ ...choice, rules: houseRules(printed, rules), players: table.players, sides });
    } catch (error) {
      setFailure({ text: readFailure(error).text(), faults: isProblem(error) ? error.problem.errors : [] });
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} aria-labelledby="setup-title" onClose={close}>
      <form onSubmit={submit}>
        <h2 id="setup-title">{say("bar.new")}</h2>
        <Select
          label={say("setup.others")}
          value={choice.others}
          options={OTHERS.map((others) => [others, say(`setup.${others}`)] as const)}
          change={(others) => change({ others })}
        />
        {choice.others === "people" && <NameField name={choice.name} change={(name) => change({ name })} />}
        <Select
          label={say("setup.rules")}
          value={printed.id}
          options={rulesets.map(({ id, name }) => [id, name] as const)}
          change={open}
        />
        <p class="hint">{translate(`${(printed.description ?? "").split(". ")[0]}.`)}</p>
        <Select
          label={say("setup.players")}
          value={table.players}
          options={PLAYERS.map((players) => [players, sayPlayers(players, printed)] as const)}
          change={(players) => change({ players })}
        />
        <Select
          label={say("setup.sides")}
          value={sides}
          options={table.sides.map((number) => [number, saySides(number, table.players)] as const)}
          change={(number) => change({ sides: number })}
        />
        {choice.others === "people" && (
          <>
            <Select
              label={say("setup.limit")}
              value={choice.moveSeconds ?? 0}
              options={LIMITS.map(
                (seconds) => [seconds, say(seconds ? "setup.seconds" : "setup.no_limit", { seconds })] as const,
              )}
              change={(seconds) => change({ moveSeconds: seconds || null })}
            />
            <label class="check">
              <input
                type="checkbox"
                checked={choice.takeBack}
                onChange={(event) => change({ takeBack: event.currentTarget.checked })}
              />
              {say("setup.take_back")}
            </label>
          </>
        )}
        <HouseRules
          key={printed.id}
          printed={printed}
          rules={rules}
          table={table}
          faults={failure.faults}
          change={(changed) => change({ rules: changed })}
        />
        <label>
          {say("setup.seed")}
          <input
            type="text"
            maxLength={128}
            pattern="[A-Za-z0-9._~\-]*"
            title={say("setup.seed_form")}
            autocomplete="off"
            placeholder={say("setup.seed_new")}
            value={choice.seed}
            onInput={(event) => change({ seed: event.currentTarget.value })}
          />
        </label>
        <div class="ends">
          <p class="fault" role="alert">
            {failure.text}
          </p>
          <p class="buttons">
            <button type="button" onClick={close}>
              {say("cancel")}
            </button>
            <button type="submit" class="main" disabled={busy}>
              {say(choice.others === "people" ? "setup.open" : "setup.deal")}
            </button>
          </p>
        </div>
      </form>
    </dialog>
  );
}

function sayPlayers(players: number, { tables }: Ruleset): string | number {
  return tables.some((one) => one.players === players) ? players : say("setup.by_house_rule", { players });
}

function saySides(sides: number, players: number): string {
  return sides === players ? say("setup.alone") : say("setup.partners", { sides, players: players / sides });
}
