/**
 * Build a table for Catch the Ten: typed calls, live games, cards.
 *
 * @module
 */
export { autoplay } from "./autoplay.ts";
export * from "./cards.ts";
export {
  type AnswerTo,
  ask,
  type Client,
  type ClientOptions,
  createClient,
  type Question,
  type QuestionName,
} from "./client.ts";
export { finishedGames } from "./finished.ts";
export type { Game } from "./game.ts";
export { newKey } from "./key.ts";
export { joinGame, openGame } from "./opening.ts";
export type { CallOptions, FollowOptions, GameUpdate, Invitation, RenewOptions, SeatOptions } from "./options.ts";
export { ConnectionError, isProblem, ProblemError, type ProblemOf, unwrap } from "./problems.ts";
export type * from "./schema.ts";
export { trickOf } from "./trick.ts";
