import { fold } from "./fold.ts";
import { ignore } from "./retry.ts";
import type { LiveGame } from "./schema.ts";
import type { Message } from "./stream.ts";

/** A game at one of its versions, as its ETag names it. */
export interface Known {
  readonly tag: string;
  readonly state: LiveGame;
}

/** Where a call began: what was known then, and in which past of the game. */
export interface Moment extends Known {
  readonly past: number;
}

/** What was last heard of a game, from the answers to calls and from streams, in whatever order they come. */
export class Sight {
  #known: Known;
  /** Counts the pasts of the game: an answer to what began in another one says nothing about this. */
  #past = 0;
  #heard: Promise<void> | undefined;
  #tell: () => void = ignore;

  constructor(known: Known) {
    this.#known = known;
  }

  get known(): Known {
    return this.#known;
  }

  /** Resolves when something is heard of the game. */
  heard(): Promise<void> {
    this.#heard ??= new Promise((resolve) => {
      this.#tell = resolve;
    });
    return this.#heard;
  }

  /** Returns this moment, for `note` and `see` to know when it was. */
  mark(): Moment {
    return { ...this.#known, past: this.#past };
  }

  /** Takes in a version, unless a newer one is known, or the past to which it belongs is lost. */
  note(known: Known, { past }: Moment = this.mark()): void {
    const ahead = known.state.version - this.#known.state.version;
    if (past === this.#past && (ahead > 0 || (ahead === 0 && known.tag !== this.#known.tag))) this.#hold(known);
  }

  /** Takes in the game as it was read since a moment: if nothing else was heard since, it is so, also at a lower version. */
  see(known: Known, since: Moment): void {
    if (this.#known.tag === since.tag) this.#hold(known);
    else this.note(known, since);
  }

  /** Takes the game as it is now in place of a past that the store has lost. */
  #restart(known: Known): void {
    this.#past += 1;
    this.#hold(known);
  }

  /** Takes in a message about the game after it was known so, and returns the game after that. */
  take({ state }: Known, message: Exclude<Message, { event: "gone" }>): Known {
    const isWhole = message.event === "game";
    const known = { tag: `"${message.id}"`, state: isWhole ? message.data : fold(state, message.data) };
    if (isWhole) this.#restart(known);
    else this.note(known);
    return known;
  }

  #hold(known: Known): void {
    this.#known = known;
    this.#heard = undefined;
    this.#tell();
  }
}

/** Reads which version of a game an answer shows. */
export function toKnown({ data, response }: { data: LiveGame; response: Response }): Known {
  return { tag: tagOf(response), state: data };
}

/** Returns the entity tag that names a version, quotes included. */
export function tagOf(response: Response): string {
  return response.headers.get("ETag") ?? "";
}

/** Returns the id of the event that shows a version. */
export function idOf(tag: string): string {
  return tag.replace(/^W\/|"/g, "");
}
