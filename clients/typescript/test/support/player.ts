import { type Client, type GameEvent, type Invitation, isProblem, joinGame, type LiveGame } from "../../src/index.ts";
import { numberOf } from "../../src/sight.ts";

/** The view of a seat of a game that it played to the end. */
export interface Report {
  /** The version after each update. */
  versions: number[];
  /** The times that the whole game was shown. */
  wholes: number;
  /** All that happened, as the updates told it. */
  events: GameEvent[];
  /** The game at the end, as the updates told it. */
  last: LiveGame;
  /** Times that the stream was lost. */
  lost: number;
}

/** Plays a seat of a game to its end, each time the first card that is legal, and deals when it is the dealer. */
export async function playSeat(client: Client, invitation: Invitation, silence: number): Promise<Report> {
  using game = await joinGame(client, invitation);
  const report: Report = { versions: [], wholes: 0, events: [], last: game.state, lost: 0 };
  const onConnection = (connected: boolean) => {
    report.lost += connected ? 0 : 1;
  };
  for await (const { state, events, whole } of game.changes({ silence, onConnection })) {
    report.versions.push(numberOf(state.version));
    report.wholes += whole ? 1 : 0;
    report.events.push(...events);
    report.last = state;
    const [card] = game.legalCards;
    if (card) await game.play(card).catch(tolerateLoss);
    if (game.isMyDeal) await game.deal();
  }
  return report;
}

/** Lets a play be refused whose position the store has lost: the next update shows the one that holds. */
function tolerateLoss(error: unknown): void {
  if (!isProblem(error, "stale_version")) throw error;
}
