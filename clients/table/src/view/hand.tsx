import type { Card } from "catch-the-ten";
import { useRef, useState } from "preact/hooks";
import { findEqual } from "../hint.ts";
import { fan } from "../seating.ts";
import type { Shown } from "../table-model.ts";
import { say, sayCard } from "../words/words.ts";
import { Face } from "./card.tsx";

/** The hand of who plays here, in the order of `cards`: those that may be played stand out; every one can be tried. */
export function HandView({ shown, cards, play }: { shown: Shown; cards: readonly Card[]; play: (card: Card) => void }) {
  const list = useRef<HTMLDivElement>(null);
  /** The card that is on its way to the table, or back if it is refused. */
  const [tried, setTried] = useState<Card>();
  /** The cards that the hint names. */
  const equal = shown.hints === undefined ? [] : findEqual(shown.hints);
  const goes = (card: Card): boolean => shown.busy && card === tried;
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  return (
    <section class={`hand ${shown.isMyTurn ? "my-turn" : ""}`} aria-label={say("hand.yours")}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go from card to card, each a button */}
      <div class="cards" ref={list} onKeyDown={move}>
        {cards.map((card, place) => {
          const { turn, drop } = fan(place, cards.length);
          const legal = shown.legal.includes(card);
          const advised = equal.some((one) => one.card === card);
          return (
            <button
              key={card}
              type="button"
              class={`card ${legal ? "legal" : ""} ${shown.isMyTurn && !legal ? "barred" : ""} ${advised ? "advised" : ""} ${goes(card) ? "goes" : ""}`}
              style={{ "--turn": `${turn}deg`, "--drop": `${drop}%`, "--place": place }}
              aria-label={shown.isMyTurn && !legal ? say("hand.barred", { card: sayCard(card) }) : sayCard(card)}
              aria-disabled={!shown.isMyTurn}
              onClick={() => {
                setTried(card);
                play(card);
              }}
            >
              <Face card={card} />
            </button>
          );
        })}
      </div>
    </section>
  );
}
