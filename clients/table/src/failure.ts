/** What goes wrong, in words for people, by the codes of the service. */

import { ConnectionError, ProblemError, type RequestFault, type Verdict } from "catch-the-ten";
import { DamagedAddress } from "./address.ts";
import { UsedLink } from "./joining.ts";
import { GoneTable, type KeptSeat } from "./kept-seats.ts";
import { isCode, type Said, say, sayCard, saySuit } from "./words/words.ts";

/** A deal of which there is no record. */
export class NoRecord extends Error {}

/** What went wrong, in words, and whether it may go well another time. */
export interface Failure {
  readonly text: Said;
  readonly again: boolean;
  /** Tries again. */
  readonly retry?: () => void;
  /** True where the address leads to nothing. */
  readonly lost?: boolean;
  /** Where one can look on instead. */
  readonly watching?: string;
  /** The seat that was kept at a table that is gone: its people can open it again. */
  readonly gone?: KeptSeat;
}

/** Returns what to show of an error; one that is a mistake of this page is thrown on. */
export function readFailure(error: unknown): Failure {
  if (error instanceof GoneTable) return { ...readFailure(error.cause), gone: error.kept };
  if (error instanceof ProblemError) {
    const lost = ["no_such_game", "game_gone"].includes(error.code);
    return { text: () => sayProblem(error), again: error.retryAfter !== undefined, lost };
  }
  if (error instanceof ConnectionError) return { text: () => say("problem.connection"), again: true };
  if (error instanceof UsedLink) return { text: () => say("link.used"), again: false, watching: error.watching };
  if (error instanceof DamagedAddress) return { text: () => say("link.damaged"), again: false, lost: true };
  if (error instanceof NoRecord) return { text: () => say("board.none"), again: false };
  throw error;
}

/** Says what the service refuses. */
export function sayProblem({ code, problem, retryAfter = 1 }: ProblemError): string {
  const found = `problem.${code}`;
  if (code === "too_many_requests" || code === "share_used_up")
    return say(`problem.${code}`, { seconds: Math.ceil(retryAfter) });
  const [fault, another] = problem.errors;
  if (fault && !another && isCode(codeOf(fault))) return sayFault(fault);
  return isCode(found) ? say(found as "problem.connection") : say("problem.other", { code });
}

type Fault = Pick<RequestFault, "code" | "pointer">;

/** Says what is wrong in one place of what was sent; the details of the service are for developers, in English. */
export function sayFault(fault: Fault): string {
  const found = codeOf(fault);
  return say(isCode(found) ? (found as "fault.too_long") : "problem.invalid_body");
}

function codeOf({ code, pointer }: Fault): string {
  return code === "wrong_pattern" && pointer.endsWith("/name") ? "fault.name_characters" : `fault.${code}`;
}

/** Says why a card may not be played; `led` is the card that was led. */
export function sayVerdict({ card, reason }: Verdict, led: Verdict["card"] | undefined): string {
  if (reason === "must_follow_suit" && led !== undefined)
    return say("illegal.must_follow_suit", { card: sayCard(card), suit: saySuit(led[1] as "C") });
  const code = reason === "must_follow_suit" ? "depends_on_hand" : (reason ?? "depends_on_hand");
  return say(`illegal.${code}`, { card: sayCard(card) });
}
