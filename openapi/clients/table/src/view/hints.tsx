import type { Suggestion } from "catch-the-ten";
import { CardName } from "./card.tsx";

/** What the service suggests, with its reasons, the best card first. */
export function Hints({ hints }: { hints: Suggestion }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="hints" aria-label="Suggestions" tabIndex={0}>
      <ol>
        {hints.cards.slice(0, 3).map(({ card, points, against, reasons }) => (
          <li key={card}>
            <b class={`suit-${card[1]}`}>
              <CardName card={card} />
            </b>
            <span>
              {points.toFixed(1)} : {against.toFixed(1)}
            </span>
            <span class="why">
              {reasons
                .slice(0, 2)
                .map(({ detail }) => detail)
                .join(" ")}
            </span>
          </li>
        ))}
      </ol>
      <p>
        Points for your side and against it,{" "}
        {hints.cards[0]?.exact ? "exactly" : `on average of ${hints.fillings} deals tried`}.
      </p>
    </section>
  );
}
