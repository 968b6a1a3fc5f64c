import { sayWhy } from "../hint.ts";
import { nameFor } from "../names.ts";
import type { Shown } from "../table-model.ts";
import { say, sayCard, sayNumber } from "../words/words.ts";

/** The plays of a deal that another card would have bettered. */
export function Review({ shown }: { shown: Shown }) {
  const plays = shown.better ?? [];
  if (plays.length === 0) return <p class="review">{say("review.none")}</p>;
  return (
    <ol class="review" aria-label={say("review.label")}>
      {plays.map(({ turn, card, better, position, gain }) => (
        <li key={turn}>
          {say("review.play", {
            turn,
            card: sayCard(card),
            better: say("hint.the", { card: sayCard(better.card) }),
            gain: sayNumber(gain),
          })}{" "}
          <span class="why">({sayWhy(better, position, nameFor(shown))})</span>
        </li>
      ))}
    </ol>
  );
}
