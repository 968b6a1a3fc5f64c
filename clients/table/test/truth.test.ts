/** Holds what the hint and the review say against the figures; HINTS=300 REVIEWS=50 look at more of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ask,
  type Card,
  type Client,
  createClient,
  type DealPosition,
  type Rules,
  unwrap,
  type WeighedCard,
} from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { openBoard, stepTo } from "../src/board.ts";
import { advise, balanceOf, findEqual, type Moment, sayHint } from "../src/hint.ts";
import { listHonours } from "../src/rule-words.ts";
import { type Choose, playDeal } from "./deals.ts";

const HINTS = Number(process.env.HINTS ?? 60);
const REVIEWS = Number(process.env.REVIEWS ?? 6);

/** What each sentence claims, found in the figures of the same answer, or by playing the trick to its end. */
type Check = (
  at: { moment: Moment; cards: WeighedCard[]; winnerOf: (card: Card) => Promise<number> },
  said: string,
) => unknown;

const sideOf = ({ position }: Moment, seat: number) => position.state.sides.findIndex((seats) => seats.includes(seat));
const me = ({ position }: Moment) => position.turn ?? -1;
const timesOf = (card: WeighedCard, reason: string) => card.reasons.find((one) => one.reason === reason)?.times ?? 0;
const best = ({ suggestion }: Moment) => suggestion.cards[0] as WeighedCard;

const isTaken: Check = async ({ moment, cards, winnerOf }) => {
  for (const { card } of cards) assert.equal(await winnerOf(card), me(moment));
};
const isLost: Check = async ({ moment, winnerOf }) => {
  for (const { card } of moment.suggestion.cards) assert.notEqual(await winnerOf(card), me(moment));
};
const isPartners: Check = async ({ moment, cards, winnerOf }) => {
  for (const { card } of cards) {
    const winner = await winnerOf(card);
    assert.equal(sideOf(moment, winner), sideOf(moment, me(moment)));
    assert.notEqual(winner, me(moment));
  }
};
const CLAIMS: readonly (readonly [RegExp, ...Check[]])[] = [
  [/only card that you may play/, ({ moment }) => assert.equal(moment.position.legal_cards?.length, 1)],
  [
    /all your cards are equally good/,
    ({ moment, cards }) => assert.equal(cards.length, moment.suggestion.cards.length),
  ],
  [
    /as good as wins the game/,
    ({ moment, cards }) => {
      assert(cards.every(({ wins }) => wins >= 0.9) && moment.suggestion.cards.some(({ wins }) => wins < 0.9));
    },
  ],
  [/it takes this trick(, with (.+) in it)?$/, isTaken],
  [/, the partner, wins this trick anyway/, isPartners, isLost],
  [/, the partner, wins this trick, and takes/, isPartners],
  [/ wins this trick anyway, and (so it costs least|no other card does better later)/, isLost],
  [
    /best chance to take .+ home/,
    ({ moment, cards }) => isMost(moment, cards, (card) => timesOf(card, "catches_honour")),
  ],
  [/best chance of this trick/, ({ moment, cards }) => isMost(moment, cards, takes)],
  [/^it keeps .+ played now/, ({ cards }) => assert(cards.every((card) => timesOf(card, "keeps_honour") > 0))],
  [/brings the most/, ({ moment, cards }) => isMost(moment, cards, balanceOf, false)],
  [/best chance of the game/, ({ moment, cards }) => isMost(moment, cards, ({ chance }) => chance, false)],
  [/no card does better/, ({ moment }) => assert(best(moment).exact)],
];

function takes(card: WeighedCard): number {
  const codes = card.reasons.map(({ reason }) => reason);
  if (codes.includes("loses_trick")) return 0;
  return codes.includes("may_take_trick") ? timesOf(card, "may_take_trick") : Number.POSITIVE_INFINITY;
}

/** Holds that no card has more, and some card has less. */
function isMost(
  { suggestion }: Moment,
  cards: WeighedCard[],
  count: (card: WeighedCard) => number,
  isLess = true,
): void {
  const all = suggestion.cards.map(count);
  for (const card of cards) assert.equal(count(card), Math.max(...all));
  if (isLess) assert(Math.min(...all) < Math.max(...all));
}

/** Returns who takes the trick of a position with a card, the others playing the first card that is legal. */
async function findWinner(client: Client, from: DealPosition, card: Card): Promise<number> {
  const players = from.state.hands.length;
  let { position, events } = await ask(client, "next-states", { state: from.state, cards: [card] });
  for (let left = players - from.state.trick.length - 1; left > 0; left -= 1) {
    const cards = position.legal_cards?.slice(-1) ?? [];
    ({ position, events } = await ask(client, "next-states", { state: position.state, cards }));
  }
  return events.find((event) => event.type === "trick_taken")?.seat ?? -1;
}

async function check(client: Client, moment: Moment, why: string, cards: WeighedCard[]): Promise<void> {
  const claims = CLAIMS.filter(([said]) => said.test(why));
  assert.equal(claims.length, 1, why);
  const winnerOf = (card: Card) => findWinner(client, moment.position, card);
  const [, ...checks] = claims[0] ?? assert.fail();
  for (const holds of checks) await holds({ moment, cards, winnerOf }, why);
}

test(`${HINTS} random hints say nothing that their figures do not bear out`, async (context) => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl, timeout: 60_000 });
  const { rulesets } = await unwrap(client.GET("/v1/rulesets"));
  const tables = rulesets.flatMap((rules) => rules.tables.map(({ players }) => [rules, players] as const));
  const said = new Map<string, number>();
  for (let hint = 0, deal = 0; hint < HINTS; deal += 1) {
    const [rules, players] = tables[(deal * 7) % tables.length] ?? assert.fail();
    const choose: Choose = async (position, plays) => {
      const legal = position.legal_cards ?? [];
      // A card here and there that differs from deal to deal, so that all kinds of positions come up.
      if (hint < HINTS && legal.length > 1 && (plays.length + deal) % 4 === 0) {
        hint += 1;
        const suggestion = await ask(client, "suggestions", { state: position.state, plays, level: "hard" });
        const honours = listHonours(rules, position.trump);
        const moment = { suggestion, position, name: (seat: number) => `Seat ${seat}`, honours };
        const sentence = sayHint(moment);
        const why = sentence.slice(sentence.indexOf(": ") + 2).replace(/\.$/, "");
        await check(client, moment, sentence.startsWith("Play what") ? sentence : why, findEqual(suggestion));
        const claim = CLAIMS.findIndex(([one]) => one.test(why));
        said.set(String(CLAIMS[claim]?.[0]), (said.get(String(CLAIMS[claim]?.[0])) ?? 0) + 1);
      }
      return legal[(plays.length * 5 + deal * 3) % legal.length] ?? assert.fail();
    };
    await playDeal(client, rules.id as Rules, players, `hint${deal}`, choose);
  }
  for (const [claim, times] of said) context.diagnostic(`${times} × ${claim}`);
  assert(said.size > 5, "few kinds of sentences");
});

test(`${REVIEWS} reviews blame no card that the coach advised`, async (context) => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl, timeout: 60_000 });
  const { rulesets } = await unwrap(client.GET("/v1/rulesets"));
  let lessons = 0;
  for (let deal = 0; deal < REVIEWS; deal += 1) {
    const rules = rulesets[deal % rulesets.length] ?? assert.fail();
    const { players } = rules.tables[deal % rules.tables.length] ?? assert.fail();
    const advised = new Set<number>();
    const choose: Choose = async (position, plays) => {
      const legal = position.legal_cards ?? [];
      // Seat 0 does what the coach says, who knows of earlier tricks in every other deal.
      if (position.turn !== 0 || legal.length === 1)
        return legal[(plays.length * 5 + deal * 3) % legal.length] ?? assert.fail();
      advised.add(plays.length);
      const known = deal % 2 === 0 ? { plays } : {};
      const suggestion = await ask(client, "suggestions", { state: position.state, ...known, level: "hard" });
      return findEqual(suggestion).at(-1)?.card ?? assert.fail();
    };
    const { record } = await playDeal(client, rules.id as Rules, players, `review${deal}`, choose);
    const board = await openBoard(client, record);
    const plays = board.tricks.flatMap((trick) => trick.plays);
    assert.deepEqual(
      plays.map(({ card }) => card),
      record.deals[0]?.plays.map(({ card }) => card),
    );
    const honours = listHonours(rules, board.dealt.trump);
    for (const [at, { card, lesson, seat }] of plays.entries()) {
      if (lesson === undefined) continue;
      lessons += 1;
      assert(!advised.has(at), `${card} was advised`);
      const { suggestion, position, loss } = lesson;
      assert.equal(position.turn, seat);
      const own = suggestion.cards.find((one) => one.card === card) ?? assert.fail();
      assert.equal(loss, balanceOf(suggestion.cards[0] as WeighedCard) - balanceOf(own));
      assert(loss >= 1 && !findEqual(suggestion).includes(own));
      const moment = { suggestion, position, name: (one: number) => `Seat ${one}`, honours };
      await check(client, moment, advise(moment).why, findEqual(suggestion));
    }
  }
  context.diagnostic(`${lessons} lessons in ${REVIEWS} reviews`);
  assert(lessons > 0);
});

test("the keys step from trick to trick, and stop at the first and the last", () => {
  const board = { tricks: Array.from({ length: 9 }) } as never;
  const steps = [
    ["ArrowRight", 0],
    ["ArrowRight", 8],
    ["ArrowLeft", 0],
    ["ArrowLeft", 8],
    ["Home", 5],
    ["End", 5],
    ["x", 5],
  ] as const;
  assert.deepEqual(
    steps.map(([key, at]) => stepTo(key, at, board)),
    [1, 8, 0, 7, 0, 8, undefined],
  );
});
