/** The picture of the front page: a trick in which the ten is caught, and a hand. */

import type { Card } from "catch-the-ten";
import { drawFace } from "./cards/face.ts";

const HAND: readonly Card[] = ["KH", "QH", "9H", "KS", "AD", "TD", "QC"];
const TRICK: readonly (readonly [Card, x: number, y: number, turn: number])[] = [
  ["AS", 322, 212, 4],
  ["TH", 206, 140, -82],
  ["6S", 316, 84, 176],
  ["JH", 434, 150, 96],
];

function place(card: Card, x: number, y: number, turn: number, size: number): string {
  const color = "HD".includes(card[1] ?? "") ? "#b8232f" : "#1d2320";
  return (
    `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size}) translate(-120 -168)" color="${color}">` +
    `<rect x="1" y="1" width="238" height="334" rx="16" fill="#fffefb" stroke="#b9b3a2" stroke-width="2.5"/>${drawFace(card)}</g>`
  );
}

/** Draw it. */
export function drawDeal(): string {
  const middle = (HAND.length - 1) / 2;
  const hand = HAND.map((card, at) =>
    place(card, 320 + (at - middle) * 62, 358 + (at - middle) ** 2 * 3.6, (at - middle) * 5, 0.43),
  );
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 474">' +
    '<defs><radialGradient id="felt"><stop offset="0" stop-color="#2f7d5c"/><stop offset="1" stop-color="#125a3e"/></radialGradient></defs>' +
    '<ellipse cx="320" cy="168" rx="314" ry="162" fill="#5a3a20"/><ellipse cx="320" cy="168" rx="300" ry="148" fill="url(#felt)"/>' +
    `${TRICK.map(([card, x, y, turn]) => place(card, x, y, turn, 0.34)).join("")}${hand.join("")}</svg>\n`
  );
}
