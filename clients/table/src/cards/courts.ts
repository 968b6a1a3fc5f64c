/** The kings, queens and jacks: the upper half of a figure in a frame of 124 by 276, which is drawn twice. */

import type { Rank } from "catch-the-ten";

const INK = "#1d2320";
const GOLD = "#e3ad3b";
const SKIN = "#f4d9bf";
const LINE = `stroke="${INK}" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"`;

const fill = (color: string, path: string): string => `<path d="${path}" fill="${color}" ${LINE}/>`;
const line = (path: string): string => `<path d="${path}" fill="none" ${LINE}/>`;
const dots = (color: string, radius: number, ...at: readonly (readonly [number, number])[]): string =>
  at
    .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${color}" stroke="${INK}" stroke-width="1.2"/>`)
    .join("");

const FACE =
  fill(SKIN, "M102 78H138V98C138 110 130 118 120 118S102 110 102 98Z") +
  line("M108 87Q112 84.5 116 87M124 87Q128 84.5 132 87M120 90V100L117.5 101.5") +
  `<circle cx="112.5" cy="91.5" r="1.9" fill="${INK}"/><circle cx="127.5" cy="91.5" r="1.9" fill="${INK}"/>`;

/** The checks of a tartan, as a field of lines. */
function weave(x: number, y: number, width: number, height: number): string {
  let marks = "";
  for (let at = 6; at < width; at += 9) marks += `M${x + at} ${y}V${y + height}`;
  for (let at = 6; at < height; at += 9) marks += `M${x} ${y + at}H${x + width}`;
  return `<path d="${marks}" stroke="${GOLD}" stroke-width="1.3" opacity=".8" fill="none"/>`;
}

const ROBE = "M60 168V150C64 132 82 124 100 120H140C158 124 176 132 180 150V168Z";
const KING =
  fill("#f6f1e3", "M95 76C90 92 91 112 97 122H143C149 112 150 92 145 76Z") +
  line("M98 84C95 96 96 108 100 118M142 84C145 96 144 108 140 118") +
  fill("currentColor", ROBE) +
  weave(62, 134, 116, 34) +
  fill("#fffdf6", "M82 127C94 146 146 146 158 127L146 116H94Z") +
  `<path d="M96 128l2 4M108 133l1 4M120 134v4M132 133l-1 4M144 128l-2 4" stroke="${INK}" stroke-width="2.4" stroke-linecap="round"/>` +
  FACE +
  fill(
    "#f6f1e3",
    "M101 96C101 122 110 132 120 135C130 132 139 122 139 96C135 103 128 105 120 103C112 105 105 103 101 96Z",
  ) +
  line("M113 110Q120 107 127 110M120 112V126M112 114L115 124M128 114L125 124") +
  fill(GOLD, "M95 78L89 47L104 61L111 39L120 58L129 39L136 61L151 47L145 78Z") +
  fill("currentColor", "M96 70H144L145 79H95Z") +
  dots("#fffdf6", 2.6, [108, 74.5], [120, 74.5], [132, 74.5]) +
  dots("currentColor", 3.4, [89, 45], [111, 37], [129, 37], [151, 45]) +
  fill(GOLD, "M163 76H167.500V168H163Z") +
  fill(GOLD, "M165.2 54L171 65L165.2 76L159.5 65Z") +
  dots("currentColor", 2.6, [165.2, 65]) +
  fill(SKIN, "M157 142C157 138 174 138 174 142V152C174 156 157 156 157 152Z") +
  line("M157 147H168");

const QUEEN =
  fill("#9a4f26", "M93 74C82 96 84 122 88 136H152C156 122 158 96 147 74Z") +
  line("M97 84C90 104 92 120 95 132M143 84C150 104 148 120 145 132") +
  fill("currentColor", ROBE) +
  fill("#f6f1e3", "M98 122L120 152L142 122L136 116H104Z") +
  fill(SKIN, "M106 112H134L130 124L120 134L110 124Z") +
  FACE +
  `<path d="M114.5 107.500Q117.5 105.5 120 107Q122.5 105.5 125.5 107.500Q120 112 114.5 107.500Z" fill="#b8232f"/>` +
  dots(GOLD, 2.4, [109, 123], [114, 127.5], [120, 130], [126, 127.5], [131, 123]) +
  weave(62, 150, 30, 18) +
  weave(148, 150, 30, 18) +
  fill("#9a4f26", "M101 90C101 78 110 76 120 77C130 76 139 78 139 90C136 82 128 81 120 81S104 82 101 90Z") +
  fill(
    GOLD,
    "M96 74C94 64 93 58 92 52C99 56 104 60 107 64C110 56 115 50 120 44C125 50 130 56 133 64C136 60 141 56 148 52C147 58 146 64 144 74C130 69 110 69 96 74Z",
  ) +
  dots("currentColor", 2.8, [120, 62], [106, 68.5], [134, 68.5]) +
  dots("#fffdf6", 3.4, [92, 50], [120, 42], [148, 50]) +
  line("M166 168C164 144 164 118 167 94") +
  fill("#3f7d4e", "M165 128C156 124 152 114 153 108C160 112 165 120 165 128Z") +
  fill("#3f7d4e", "M165 146C173 141 177 132 176 126C169 130 165 138 165 146Z") +
  fill(
    "#8a5aa8",
    "M157 74C160 80 161 84 162 86H172C173 84 174 80 177 74C173 76 172 77 171 79C170 75 169 72 167 69C165 72 164 75 163 79C162 77 161 76 157 74Z",
  ) +
  fill("#3f7d4e", "M160 88C160 83 174 83 174 88C174 95 171 99 167 99S160 95 160 88Z") +
  fill(SKIN, "M158 148C158 144 174 144 174 148V156C174 160 158 160 158 156Z");

const JACK =
  fill(
    "#d9a94b",
    "M97 74C92 92 92 104 95 116C99 120 105 120 108 118V78H132V118C135 120 141 120 145 116C148 104 148 92 143 74Z",
  ) +
  fill("currentColor", ROBE) +
  weave(62, 134, 116, 34) +
  fill(
    "#fffdf6",
    "M90 128Q94 119 101 120Q106 113 113 118Q120 112 127 118Q134 113 139 120Q146 119 150 128Q145 137 138 134Q131 142 124 137Q120 141 116 137Q109 142 102 134Q95 137 90 128Z",
  ) +
  line("M101 121L105 131M113 118L115 132M127 118L125 132M139 121L135 131") +
  FACE +
  line("M114 108Q120 111.5 126 107.5") +
  fill("#f6f1e3", "M143 60C154 46 158 38 158 28C166 40 164 56 152 68Z") +
  line("M148 64C154 54 158 46 159 36") +
  fill("currentColor", "M91 72C84 60 92 46 112 43C134 40 154 48 153 60C152 68 148 71 146 73Z") +
  dots(GOLD, 5, [119, 42]) +
  fill("#fffdf6", "M94 71Q120 63 146 71L145 81Q120 73 95 81Z") +
  `<path d="M99 69.800l1 9.400M107 68l.6 9.300M115 67l.2 9.200M125 67l-.2 9.200M133 68l-.6 9.300M141 69.800l-1 9.4" stroke="currentColor" stroke-width="4"/>` +
  fill("#8c6a43", "M163 70H168V168H163Z") +
  fill("#c9ced3", "M165.5 40L172 60C177 58 179 64 177 74C172 70 169 70 168 74H163L161 62Z") +
  fill(SKIN, "M157 142C157 138 174 138 174 142V152C174 156 157 156 157 152Z") +
  line("M157 147H168");

const FIGURES: Partial<Record<Rank, string>> = { K: KING, Q: QUEEN, J: JACK };

/** Return both halves of a court card with its frame; "" for a card that is none. */
export function drawCourt(rank: Rank): string {
  const half = FIGURES[rank];
  if (half === undefined) return "";
  const upper = `<svg x="0" y="0" width="240" height="168" viewBox="0 0 240 168">${half}</svg>`;
  return (
    `<rect x="57" y="28" width="126" height="280" rx="5" fill="#fbf3df" stroke="currentColor" stroke-width="2"/>` +
    upper +
    `<g transform="rotate(180 120 168)">${upper}</g>` +
    `<path d="M58 163H182V173H58Z" fill="${GOLD}" ${LINE}/>` +
    `<path d="M66 168l4-3 4 3-4 3zM84 168l4-3 4 3-4 3zM102 168l4-3 4 3-4 3zM120 168l4-3 4 3-4 3zM138 168l4-3 4 3-4 3zM156 168l4-3 4 3-4 3z" fill="currentColor"/>` +
    `<rect x="57" y="28" width="126" height="280" rx="5" fill="none" stroke="currentColor" stroke-width="2"/>`
  );
}
