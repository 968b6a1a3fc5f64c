import { ask, type Client } from "./client.ts";
import type { Game } from "./game.ts";
import type { CallOptions } from "./options.ts";
import { ConnectionError, isProblem } from "./problems.ts";
import type { ComputerLevel, GameEvent, LiveGame, RecordedPlay } from "./schema.ts";
import { trickOf } from "./trick.ts";

/** The plays of a deal, in order; undefined if they are not all known. */
type Plays = readonly RecordedPlay[] | undefined;

/**
 * Plays a seat as the service suggests, and deals when the seat is the dealer, until the game is over.
 *
 * While the service cannot be reached it goes on trying, until the signal aborts or the game is closed.
 *
 * @param game The game, joined with the token of the seat.
 * @param options.level How far to think. By default `medium`.
 * @throws {ProblemError} `suggestions_off` if the service makes no suggestions.
 *
 * @example
 * await autoplay(client, await joinGame(client, { id, token }), { level: "hard" });
 */
export async function autoplay(
  client: Client,
  game: Game,
  { level = "medium", signal }: { level?: ComputerLevel } & CallOptions = {},
): Promise<void> {
  let plays: Plays;
  for await (const { state, events, whole } of game.changes({ signal })) {
    plays = whole ? readPlays(state) : events.reduce(addPlay, plays);
    // As soon as something else has happened to the game, its update says what to do.
    while (state.version === game.state.version && (game.isMyTurn || game.isMyDeal)) {
      try {
        if (game.isMyDeal) await game.deal({ signal });
        else await game.play(await choose(client, state, level, plays, signal), { signal });
      } catch (error) {
        const passes =
          error instanceof ConnectionError || isProblem(error, "stale_version", "deal_not_over", "game_over");
        if (!passes) throw error;
      }
    }
  }
}

async function choose(
  client: Client,
  game: LiveGame,
  level: ComputerLevel,
  plays: Plays,
  signal: CallOptions["signal"],
) {
  const state = (game.position as NonNullable<LiveGame["position"]>).state;
  const { card } = await ask(client, "suggestions", { state, level, ...(plays && { plays: [...plays] }) }, { signal });
  return card;
}

/** Returns the plays of a deal whose first trick is not taken yet. */
function readPlays({ position }: LiveGame): Plays {
  const state = position?.state;
  return state?.taken.every((cards) => cards.length === 0) ? trickOf(state) : undefined;
}

function addPlay(plays: Plays, event: GameEvent): Plays {
  if (event.type === "cards_dealt") return [];
  return event.type === "card_played" && plays ? [...plays, { seat: event.seat, card: event.card }] : plays;
}
