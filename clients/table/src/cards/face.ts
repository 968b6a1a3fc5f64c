/** The face and the back of a card, as the inside of an SVG of 240 by 336; the color of the suit is the current color. */

import { type Card, type Rank, rankOf, suitOf } from "catch-the-ten";
import { drawCourt } from "./courts.ts";
import { RANK_STROKES, SUIT_SHAPES } from "./shapes.ts";

export const CARD_WIDTH = 240;
export const CARD_HEIGHT = 336;

type Spot = readonly [x: number, y: number];
const [LEFT, MIDDLE, RIGHT] = [86, 120, 154];
const rows = (...heights: readonly number[]) => heights.flatMap((y) => [LEFT, RIGHT].map((x): Spot => [x, y]));
const SIX = rows(78, 168, 258);
const FOUR_ROWS = rows(74, 137, 199, 262);
const PIPS: Partial<Record<Rank, readonly Spot[]>> = {
  6: SIX,
  7: [...SIX, [MIDDLE, 123]],
  8: [...SIX, [MIDDLE, 123], [MIDDLE, 213]],
  9: [...FOUR_ROWS, [MIDDLE, 168]],
  T: [...FOUR_ROWS, [MIDDLE, 105], [MIDDLE, 231]],
};

/** Return a suit around x,y; below the middle of the card it stands on its head. */
function drawSuit(card: Card, x: number, y: number, size: number): string {
  const turn = y > CARD_HEIGHT / 2 ? " rotate(180)" : "";
  return `<path transform="translate(${x} ${y})${turn} scale(${size})" d="${SUIT_SHAPES[suitOf(card)]}" fill="currentColor"/>`;
}

function drawIndex(card: Card): string {
  const rank = `<path transform="translate(13 17) scale(1.28)" d="${RANK_STROKES[rankOf(card)]}" fill="none" stroke="currentColor" stroke-width="4.6" stroke-linejoin="round" stroke-linecap="round"/>`;
  return rank + drawSuit(card, 29, 90, 1.08);
}

function drawMiddle(card: Card): string {
  const rank = rankOf(card);
  if (rank === "A")
    return `<path transform="translate(120 168) scale(3.4)" d="${SUIT_SHAPES[suitOf(card)]}" fill="currentColor"/>`;
  const pips = PIPS[rank];
  if (pips === undefined) return drawCourt(rank);
  return pips.map(([x, y]) => drawSuit(card, x, y, pips.length > 8 ? 1.08 : 1.25)).join("");
}

/** Return the face of a card. */
export function drawFace(card: Card): string {
  const index = drawIndex(card);
  return `${drawMiddle(card)}${index}<g transform="rotate(180 120 168)">${index}</g>`;
}

const sett = (color: string, width: number, ...at: readonly number[]): string => {
  const marks = at.map((place) => `M${place} 0V336M0 ${place + 48}H240M0 ${place - 72}H240`).join("");
  return `<path d="${marks}" stroke="${color}" stroke-width="${width}" fill="none"/>`;
};

/** Return the back of every card: a tartan in a frame. */
export function drawBack(): string {
  const cloth =
    `<rect width="240" height="336" fill="#17365c"/>` +
    `<g opacity=".55">${sett("#0e5b41", 34, 40, 120, 200)}</g>` +
    `<g opacity=".85">${sett("#0b1f38", 7, 22, 58, 102, 138, 182, 218)}</g>` +
    `<g opacity=".9">${sett("#c23a3f", 3.5, 80, 160)}</g>` +
    `<g opacity=".8">${sett("#e9c45f", 1.8, 40, 120, 200)}</g>`;
  return (
    `<svg x="14" y="14" width="212" height="308" viewBox="14 14 212 308">${cloth}</svg>` +
    `<rect x="14" y="14" width="212" height="308" rx="8" fill="none" stroke="#e9c45f" stroke-width="3"/>`
  );
}
