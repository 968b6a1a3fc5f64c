/** The rules of a table in sentences, and what follows from them for its cards: all from the ruleset in play. */

import type { Card, Ruleset, Suit } from "catch-the-ten";
import { findChanges, PACK_SIZE } from "./house-rules.ts";
import { say, sayCard, sayList } from "./words/words.ts";

/** What is told of the rules, in this order, and the fields of a ruleset that it tells of. */
const CHAPTERS = {
  cards: ["tables"],
  trick: ["following", "void", "opening_lead"],
  ten: ["trump_rank", "ten"],
  honours: ["honours"],
  share: ["card_points"],
  target: ["target", "winning", "deals"],
} as const satisfies Record<string, readonly (keyof Ruleset)[]>;
export type Chapter = keyof typeof CHAPTERS;

/** An honour, and the points that it brings. */
export interface Honour {
  readonly card: Card;
  readonly points: number;
}

/** Returns the ranks of trumps, or of a plain suit, the highest first. */
export function ranksOf({ trump_rank }: Ruleset, isTrump = true): string {
  return isTrump && trump_rank === "jack_high" ? "JAKQT9876" : "AKQJT9876";
}

/** Returns the cards that bring points if a suit is trumps, the highest first; none until the rules are read. */
export function listHonours(rules: Ruleset | undefined, trump: Suit): Honour[] {
  if (rules === undefined) return [];
  const { jack, ten, ace, king, queen } = rules.honours ?? {};
  const points: Readonly<Record<string, number | null | undefined>> = { J: jack, T: ten, A: ace, K: king, Q: queen };
  return [...ranksOf(rules)].flatMap((rank) => {
    const suit = rank === "T" && rules.ten === "diamonds" ? "D" : trump;
    return points[rank] ? [{ card: `${rank}${suit}` as Card, points: points[rank] }] : [];
  });
}

/** Returns the trick by which it is shown how the ten is caught where hearts are trumps, and the card that takes it. */
export function showCatch(rules: Ruleset): { cards: Card[]; best: Card } {
  const best = (rules.ten === "diamonds" ? "AD" : `${ranksOf(rules)[0]}H`) as Card;
  const suit = best[1] as Suit;
  return { cards: [`6${suit}`, `T${suit}`, best, `8${suit}`], best };
}

/** Says the rules of a table, chapter by chapter; `isHouse` if it has changed something there in the `printed` rules. */
export function sayRules(rules: Ruleset, printed: Ruleset, players: number, sides: number) {
  const changed = findChanges(printed, rules);
  const texts = sayChapters(rules, players, sides);
  return (Object.keys(CHAPTERS) as Chapter[]).map((chapter) => ({
    chapter,
    title: say(`how.${chapter}`, { target: rules.target ?? "" }),
    text: texts[chapter].filter((text) => text !== "").join(" "),
    isHouse: CHAPTERS[chapter].some((name) => changed.includes(name)),
  }));
}

/** Lists what a table has changed and no chapter tells of. */
export function findOtherChanges(rules: Ruleset, printed: Ruleset): (keyof Ruleset)[] {
  const told: readonly (keyof Ruleset)[] = Object.values(CHAPTERS).flat();
  return findChanges(printed, rules).filter((name) => !told.includes(name));
}

function sayChapters(rules: Ruleset, players: number, sides: number): Record<Chapter, string[]> {
  return {
    cards: sayCards(rules, players, sides),
    trick: sayTrick(rules),
    ten: sayTen(rules),
    honours: [say("how.honours_text")],
    share: [sayCardPoints(rules, players, sides)],
    target: sayEnd(rules),
  };
}

function sayCards({ tables }: Ruleset, players: number, sides: number): string[] {
  const table = tables.find((one) => one.players === players);
  if (table === undefined) return [];
  const { hands, cards, strip } = table;
  return [
    say("how.pack", { cards: PACK_SIZE }),
    strip?.length ? say("how.strip", { cards: sayList(strip.map(sayCard)) }) : "",
    hands > 1 ? say("how.hands", { hands, cards }) : say("how.hand", { cards }),
    say(sides < players ? "how.partners" : "how.alone"),
    say("how.turns"),
  ];
}

function sayTrick({ void: free, opening_lead: lead }: Ruleset): string[] {
  return [
    say("how.trick_text"),
    say(free === "trump_if_able" ? "how.void_trump" : "how.void"),
    say("how.takes"),
    say("how.plain"),
    lead === "no_trump" ? say("how.no_trump") : "",
  ];
}

function sayTen(rules: Ruleset): string[] {
  const ranks = ranksOf(rules);
  const names = (all: string): string => sayList([...all].map((rank) => say(`rank.${rank as "A"}`)));
  const points = rules.honours?.ten ?? 0;
  const higher = names(ranks.slice(0, ranks.indexOf("T")));
  return [
    say("how.trumps"),
    say("how.rank", { ranks: names(ranks) }),
    rules.ten === "diamonds" ? say("how.ten_diamonds", { points }) : say("how.ten_text", { points, higher }),
  ];
}

function sayCardPoints({ card_points, tables }: Ruleset, players: number, sides: number): string {
  if (card_points !== "above_share") return say(`how.${card_points}`);
  const table = tables.find((one) => one.players === players);
  const share = ((table?.hands ?? 0) * (table?.cards ?? 0) * players) / sides;
  return say("how.share_text", { share, more: share + 6, gain: 6 });
}

function sayEnd({ target, winning, deals }: Ruleset): string[] {
  return [
    say("how.target_text"),
    target ? say(`how.${winning}`, { target }) : "",
    deals ? say("how.deals", { deals }) : "",
  ];
}
