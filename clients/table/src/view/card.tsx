import { type Card, cardText, suitOf } from "catch-the-ten";
import { CARD_HEIGHT, CARD_WIDTH, drawBack, drawFace } from "../cards/face.ts";
import { sayCard } from "../words/words.ts";

const FRAME = `0 0 ${CARD_WIDTH} ${CARD_HEIGHT}`;
const EDGE = '<rect class="edge" x="1" y="1" width="238" height="334" rx="16"/>';

/** A card with its face up. Where nothing else names it, `alone` gives it its name. */
export function Face({ card, alone = false }: { card: Card; alone?: boolean }) {
  const label = alone ? { role: "img" as const, "aria-label": sayCard(card) } : { "aria-hidden": true };
  return (
    <svg
      class={`face suit-${suitOf(card)}`}
      viewBox={FRAME}
      {...label}
      dangerouslySetInnerHTML={{ __html: EDGE + drawFace(card) }}
    />
  );
}

/** A card with its face down. */
export function Back() {
  return (
    <svg class="face back" viewBox={FRAME} aria-hidden="true" dangerouslySetInnerHTML={{ __html: EDGE + drawBack() }} />
  );
}

/** A card in signs, which a screen reader reads as words. */
export function CardName({ card }: { card: Card }) {
  return (
    <>
      <span aria-hidden="true">{cardText(card)}</span>
      <span class="said">{sayCard(card)}</span>
    </>
  );
}
