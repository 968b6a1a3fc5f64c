// A league: it plays some tables with computers at once, and counts from the feed of finished games alone.
// node league.js http://localhost:8000 THE-KEY-OF-YOUR-APP 500
import {
  type Client,
  ConnectionError,
  createClient,
  type FinishedGame,
  finishedGames,
  isProblem,
  joinGame,
  openGame,
} from "catch-the-ten";

const MEMBERS = ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"];

/** The results by game: a game that comes again counts once. Keep them and `place` in one transaction. */
const results = new Map<string, { names: string[]; won: string[] }>();
let place: string | undefined;

function count({ id, seats, winners, ...game }: FinishedGame): void {
  const namesOf = (some: typeof seats): string[] => some.map(({ name }) => name ?? "");
  results.set(id, { names: namesOf(seats), won: namesOf(seats.filter(({ side }) => winners.includes(side))) });
  place = game.place;
}

/** Returns the games that each member has played, and won. */
function makeTable(): Record<string, [number, number]> {
  const times = (lists: string[][], member: string): number => lists.flat().filter((name) => name === member).length;
  const played = [...results.values()].map(({ names }) => names);
  const won = [...results.values()].map((result) => result.won);
  return Object.fromEntries(MEMBERS.map((name) => [name, [times(played, name), times(won, name)]]));
}

/** Opens a table for four members in turn, and plays the first seat. Computers play the others. */
async function play(client: Client, number: number): Promise<void> {
  const seats = [0, 1, 2, 3].map((seat) => ({
    name: MEMBERS[(number + seat) % MEMBERS.length] as string,
    computer: seat ? ("easy" as const) : null,
  }));
  const opened = await openGame(client, { rules: "trebor", players: 4, scores: [30, 30], first_dealer: 0, seats });
  using game = await joinGame(client, { id: opened.id, token: opened.seats[0]?.token ?? "" });
  for await (const _ of game.changes()) {
    try {
      if (game.isMyDeal) await game.deal();
      else if (game.legalCards[0]) await game.play(game.legalCards[0]);
    } catch (error) {
      if (!isProblem(error, "stale_version")) throw error; // the next change shows what came in between
    }
  }
}

/** Counts finished games until there are enough of them, also if the service is away for long. */
async function countAll(client: Client, games: number): Promise<void> {
  while (results.size < games) {
    try {
      for await (const game of finishedGames(client, { after: place })) {
        count(game);
        if (results.size === games) break;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}

const [baseUrl = "", apiKey = "", tables = "0"] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey, timeout: 600_000 });
const playing = Array.from({ length: Number(tables) }, (_, number) => play(client, number));
await Promise.all([countAll(client, Number(tables)), ...playing]);
console.log(JSON.stringify({ table: makeTable(), games: [...results.keys()] }));
