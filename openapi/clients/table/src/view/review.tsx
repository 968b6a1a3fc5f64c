import type { Better } from "../review.ts";
import { CardName } from "./card.tsx";

/** The plays of a deal that another card would have bettered. */
export function Review({ plays }: { plays: readonly Better[] }) {
  if (plays.length === 0) return <p class="review">No other card would have been clearly better.</p>;
  return (
    <ol class="review" aria-label="What would have been better">
      {plays.map(({ turn, card, better, gain, reason }) => (
        <li key={turn}>
          Play {turn}:{" "}
          <b>
            <CardName card={better} />
          </b>{" "}
          instead of <CardName card={card} />, {gain.toFixed(1)} points better. <span class="why">{reason}</span>
        </li>
      ))}
    </ol>
  );
}
