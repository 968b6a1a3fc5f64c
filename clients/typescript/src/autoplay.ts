import { ask, type Client } from "./client.ts";
import type { Game } from "./game.ts";
import type { CallOptions, GameUpdate } from "./options.ts";
import { ConnectionError, isProblem } from "./problems.ts";
import type { ComputerLevel, LiveGame } from "./schema.ts";

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
  for await (const { state, plays } of game.changes({ signal })) {
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
  plays: GameUpdate["plays"],
  signal: CallOptions["signal"],
) {
  const state = (game.position as NonNullable<LiveGame["position"]>).state;
  const { card } = await ask(client, "suggestions", { state, level, ...(plays && { plays: [...plays] }) }, { signal });
  return card;
}
