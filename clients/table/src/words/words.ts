/** What the page says: by a code and its arguments, in the language that is chosen. */

import { type Card, rankOf, type Suit, suitOf } from "catch-the-ten";
import { read, write } from "../storage.ts";
import { EN } from "./en.ts";

export type Code = keyof typeof EN;
/** The sentences of a language. */
export type Sentences = Readonly<Record<Code, string>>;
/** Texts of the service in English, each with what it says in another language. */
export type Texts = Readonly<Record<string, string>>;
type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Arguments<C extends Code> = [Names<(typeof EN)[C]>] extends [never]
  ? []
  : [Readonly<Record<Names<(typeof EN)[C]>, string | number>>];
/** The codes of sentences that say something of somebody, and have a second form for "you". */
type Personal = { [C in Code]: `${C}.you` extends Code ? C : never }[Code];

/** What is said later, in the language that is chosen then. */
export type Said = () => string;

/** Each language by its tag, in its own words. */
export const LANGUAGES = { en: EN.language, de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = "catch-the-ten language";
let sentences: Sentences = EN;
let texts: Texts = {};
let spoken: Language = "en";

/** Returns a sentence. */
export function say<C extends Code>(code: C, ...[given]: Arguments<C>): string {
  const values: Readonly<Record<string, string | number>> = given ?? {};
  return sentences[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Returns a sentence about somebody; `who` is undefined for oneself. */
export function sayOf(code: Personal, who: string | undefined, given: Record<string, string | number> = {}): string {
  const form = (who === undefined ? `${code}.you` : code) as "event.played";
  return say(form, { ...given, who: who ?? "" } as { who: string; card: string });
}

/** Returns if there is a sentence for a code that the service may send. */
export function isCode(code: string): code is Code {
  return code in EN;
}

/** Returns a text of the service, which is English, in the language that is chosen. */
export function translate(text: string): string {
  return texts[text] ?? text;
}

export function saySuit(suit: Suit): string {
  return say(`suit.${suit}`);
}

/** Returns the name of a card, such as "ten of hearts". */
export function sayCard(card: Card): string {
  return say("card", { rank: say(`rank.${rankOf(card)}`), suit: saySuit(suitOf(card)) });
}

/** Returns a list as people say it. */
export function sayList(parts: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(spoken, { type }).format(parts);
}

/** Returns a number with one digit after its point, or comma. */
export function sayNumber(number: number): string {
  return number.toLocaleString(spoken, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** Returns what is gained in whole points, at least one, as people say it. */
export function sayGain(gain: number): string {
  const points = Math.max(1, Math.round(gain));
  return points === 1 ? say("gain.one") : say("gain.more", { points });
}

/** Returns a time, with its day, as people say it. */
export function sayTime(time: Date): string {
  const day = { weekday: "long", day: "numeric", month: "long" } as const;
  return time.toLocaleString(spoken, { ...day, hour: "numeric", minute: "2-digit" });
}

export function spokenLanguage(): Language {
  return spoken;
}

/** Returns the language that was chosen, or else the first of the browser's that the page speaks. */
export function findLanguage(): Language {
  const wanted = [read<string>(KEPT) ?? "", ...navigator.languages].map((tag) => tag.split("-")[0] ?? "");
  return wanted.find((tag): tag is Language => tag in LANGUAGES) ?? "en";
}

/** Keeps the language that was chosen, and speaks it. */
export async function chooseLanguage(language: Language): Promise<void> {
  write(KEPT, language);
  await speak(language);
}

/** Speaks a language from now on; what is not English is a file of its own. Errors: TypeError where that cannot be had. */
export async function speak(language: Language): Promise<void> {
  if (language === "en") {
    sentences = EN;
    texts = {};
  } else {
    const file = new URL(`./table-${language}.js`, import.meta.url).href;
    ({ SENTENCES: sentences, TEXTS: texts } = (await import(file)) as { SENTENCES: Sentences; TEXTS: Texts });
  }
  spoken = language;
  document.documentElement.lang = language;
}
