// Plays a game of a row of the covering array, tests/programs/pairwise: what to play comes on standard input, and what
// each bearer saw goes to standard output.
import { type Card, createClient, type Game, type GameSetup, isProblem, joinGame, openGame } from "../src/index.ts";
import { readTask } from "./support/task.ts";

interface Task {
  readonly url: string;
  readonly key: string;
  readonly headers: Record<string, string>;
  readonly opening: GameSetup;
  readonly resigns: boolean;
}

/** Milliseconds without a sign of life after which a stream is dead; changes are asked for 20 times as often. */
const SILENCE = 1000;

const { url, key, headers, opening, resigns } = await readTask<Task>();
const fetch = (request: Request): Promise<Response> => {
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return globalThis.fetch(request);
};
const client = createClient({ baseUrl: url, fetch, ...(key ? { apiKey: key } : {}) });
const opened = await openGame(client, opening);
const penalised = opening.on_revoke === "penalise";
const seen: Record<string, unknown[]> = {};
let slipped = false;
let verdict: unknown = null;

/** Returns whether a deal is in its second half: then comes what ends it, an illegal card or a resignation. */
function isHalfPlayed(game: Game): boolean {
  const state = game.state.position?.state;
  if (state === undefined) return false;
  const left = state.hands.reduce<number>((sum, hand) => sum + (typeof hand === "number" ? hand : hand.length), 0);
  return state.taken.flat().length >= left;
}

/** Plays an illegal card, once. Returns true if it ends the deal. */
async function slip(game: Game): Promise<boolean> {
  const illegal = game.hand.find((card) => !game.legalCards.includes(card));
  if (slipped || illegal === undefined || (penalised && !isHalfPlayed(game))) return false;
  slipped = true;
  try {
    await game.play(illegal);
    return true;
  } catch (error) {
    if (!isProblem(error, "illegal_play")) throw error;
    verdict = error.problem.verdict;
    return false;
  }
}

/** Plays what the bearer of a token has to play, and notes all that it sees, until the game is over. */
async function follow(token: string): Promise<void> {
  const game = await joinGame(client, { id: opened.id, ...(token ? { token } : {}) });
  const mine: unknown[] = [];
  seen[token] = mine;
  let stirred = -1;
  for await (const { state, events } of game.changes({ silence: SILENCE })) {
    const { phase, dealer, position } = state;
    mine.push({ revision: state.version, phase, dealer, position, events });
    if (game.isMyTurn && resigns && isHalfPlayed(game)) await game.resign();
    else if (game.isMyTurn && !(await slip(game))) await game.play(draw(game.legalCards));
    if (!game.isMyDeal) continue;
    const deal = position?.state.deal ?? 0;
    if (stirred < deal) {
      stirred = deal;
      await game.addEntropy(`from-deal-${deal}`);
    }
    await game.deal();
  }
}

function draw(cards: readonly Card[]): Card {
  return cards[Math.floor(Math.random() * cards.length)] as Card;
}

const persons = opened.seats.filter(({ computer }) => computer === null).map(({ token }) => token);
await Promise.all([...persons, opened.host_token, ""].map(follow));
console.log(JSON.stringify({ opened, seen, slipped, verdict }));
