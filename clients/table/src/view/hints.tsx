import { type Ruleset, type Suggestion, suitOf } from "catch-the-ten";
import { sayHint } from "../hint.ts";
import { nameFor } from "../names.ts";
import { listHonours } from "../rule-words.ts";
import type { Shown } from "../table-model.ts";
import { say, sayNumber } from "../words/words.ts";
import { CardName } from "./card.tsx";

/** What the service suggests, in a sentence; with the figures of the best cards for who asks for them. */
export function Hints({ shown, hints, rules }: { shown: Shown; hints: Suggestion; rules: Ruleset | undefined }) {
  return (
    <section class="hints" aria-label={say("hint.label")}>
      <p class="advice">
        {sayHint({
          suggestion: hints,
          position: shown.position,
          name: nameFor(shown),
          honours: listHonours(rules, shown.position.trump),
        })}
      </p>
      <details>
        <summary>{say("hint.figures")}</summary>
        <ol>
          {hints.cards.slice(0, 3).map(({ card, points, against }) => (
            <li key={card}>
              <b class={`suit-${suitOf(card)}`}>
                <CardName card={card} />
              </b>
              <span>{say("hint.points", { points: sayNumber(points), against: sayNumber(against) })}</span>
            </li>
          ))}
        </ol>
        <p>{sayBasis(hints)}</p>
      </details>
    </section>
  );
}

/** Says where the figures of a suggestion come from. */
export function sayBasis({ cards: [best], fillings }: Suggestion): string {
  return best?.exact ? say("hint.exactly") : say("hint.average", { fillings });
}
