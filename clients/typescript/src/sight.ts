import { fold, setPresent } from "./fold.ts";
import { ignore } from "./retry.ts";
import type { GameVersion, LiveGame, Seat } from "./schema.ts";
import type { Message } from "./stream.ts";

/** The moment at which a call began: the state that was known then, and the past of the game that it is in. */
export interface Moment {
  readonly state: LiveGame;
  readonly past: number;
}

/** The latest state that was heard of a game, from answers to calls and from streams, in any order. */
export class Sight {
  #state: LiveGame;
  /** Counts the pasts of the game: an answer to what began in another one says nothing about this. */
  #past = 0;
  #heard: Promise<void> | undefined;
  #tell: () => void = ignore;

  constructor(state: LiveGame) {
    this.#state = state;
  }

  get state(): LiveGame {
    return this.#state;
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
    return { state: this.#state, past: this.#past };
  }

  /** Takes in a version, unless a newer one is known, or the past to which it belongs is lost. */
  note(state: LiveGame, { past }: Moment = this.mark()): void {
    const ahead = numberOf(state.version) - numberOf(this.#state.version);
    const isNew = ahead > 0 || (ahead === 0 && state.version !== this.#state.version);
    // No change says who is present: that is known apart from it.
    if (past === this.#past && isNew) this.#hold(setPresent(state, presentIn(this.#state)));
  }

  /** Takes in the game as it was read since a moment: if nothing else was heard since, it is so, also at a lower version. */
  see(state: LiveGame, since: Moment): void {
    if (this.#state.version === since.state.version) this.#hold(state);
    else this.note(state, since);
  }

  /** Takes the game as it is now in place of a past that the store has lost. */
  #restart(state: LiveGame): void {
    this.#past += 1;
    this.#hold(state);
  }

  /** Takes in a message about the game after it was known so, and returns the game after that. */
  take(before: LiveGame, message: Exclude<Message, { event: "gone" }>): LiveGame {
    if (message.event === "presence") {
      const { present } = message.data;
      const now = setPresent(this.#state, present);
      if (now !== this.#state) this.#hold(now);
      return setPresent(before, present);
    }
    const isWhole = message.event === "game";
    const state = isWhole ? message.data : fold(before, message.data);
    if (isWhole) this.#restart(state);
    else this.note(state);
    return state;
  }

  #hold(state: LiveGame): void {
    this.#state = state;
    this.#heard = undefined;
    this.#tell();
  }
}

function presentIn({ seats }: LiveGame): Seat[] {
  return seats.filter(({ present }) => present).map(({ seat }) => seat);
}

/** Returns the number of a version, by which the versions of one past are in order. */
export function numberOf(version: GameVersion): number {
  return Number.parseInt(version, 10);
}
