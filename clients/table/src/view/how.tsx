import type { Card, Ruleset } from "catch-the-ten";
import type { Told } from "../books.ts";
import { sayName, type Value } from "../house-rules.ts";
import { type Chapter, findOtherChanges, listHonours, sayRules, showCatch } from "../rule-words.ts";
import { say, translate } from "../words/words.ts";
import { Face } from "./card.tsx";
import { Dialog } from "./dialog.tsx";

/** The rules of this table in two minutes: sentences and pictures, its house rules marked; a first deal with a coach. */
export function How({
  told,
  play,
  close,
}: {
  told: Told | undefined;
  play?: (() => void) | undefined;
  close: () => void;
}) {
  const offer = play && (
    <button type="button" class="main" onClick={play}>
      {say("how.play")}
    </button>
  );
  return (
    <Dialog label={say("bar.how")} close={close} offer={offer}>
      <article class="how">
        <h2>{say("bar.how")}</h2>
        <p>{say("how.lead")}</p>
        {told === undefined ? <a href="rulesets">{say("house.books")}</a> : <Rules {...told} />}
      </article>
    </Dialog>
  );
}

function Rules({ rules, printed, players, sides }: Told) {
  const others = findOtherChanges(rules, printed);
  const texts = sayRules(rules, printed, players, sides);
  const isHouse = others.length > 0 || texts.some((one) => one.isHouse);
  return (
    <>
      <p class="hint">
        {say(isHouse ? "rules.house" : "rules.as_printed", { name: printed.name })}{" "}
        {translate(`${(printed.description ?? "").split(". ")[0]}.`)}
      </p>
      {texts.map(({ chapter, title, text, isHouse: changed }) => (
        <section key={chapter} class="how">
          <h3>
            {title} {changed && <mark>{say("rules.mark")}</mark>}
          </h3>
          <Picture chapter={chapter} rules={rules} />
          <p>{text}</p>
        </section>
      ))}
      <ul class="changes">
        {others.map((name) => (
          <li key={name}>
            {say("rules.change", { rule: translate(sayName(name)), value: sayValue(rules[name] as Value) })}{" "}
            <mark>{say("rules.mark")}</mark>
          </li>
        ))}
      </ul>
    </>
  );
}

function Picture({ chapter, rules }: { chapter: Chapter; rules: Ruleset }) {
  if (chapter === "trick") return <Trick cards={["9S", "KS", "AS", "7D"]} best="AS" />;
  if (chapter === "ten") return <Trick {...showCatch(rules)} />;
  if (chapter !== "honours") return null;
  return (
    <ul class="pictured">
      {listHonours(rules, "H").map(({ card, points }) => (
        <li key={card}>
          <Face card={card} alone />
          <b>{points}</b>
        </li>
      ))}
    </ul>
  );
}

/** A trick in the order played, the card that takes it marked. */
function Trick({ cards, best }: { cards: readonly Card[]; best: Card }) {
  return (
    <ul class="pictured felted">
      {cards.map((card) => (
        <li key={card} class={card === best ? "best" : ""}>
          <Face card={card} alone />
        </li>
      ))}
    </ul>
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
