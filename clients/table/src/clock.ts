/** The time: as it passes in the window, or as a test lets it pass. */
export interface Ticks {
  now(): number;
  /** Does something in so many milliseconds, unless what is returned is called before. */
  later(work: () => void, time: number): () => void;
}

const WINDOW: Ticks = {
  now: () => Date.now(),
  later: (work, time) => {
    const timer = setTimeout(work, time);
    return () => clearTimeout(timer);
  },
};

/** The time by the clock of the service, by which the time for a move ends: that of the browser may be wrong. */
export class Clock {
  readonly ticks: Ticks;
  /** Milliseconds by which the service is ahead of the browser, at the least; undefined as long as nothing was heard. */
  #ahead: number | undefined;

  constructor(ticks: Ticks = WINDOW) {
    this.ticks = ticks;
  }

  /** Notes the time of a change that has just come: the clock of the service shows this time, or a later one. */
  note(at: string): void {
    this.#ahead = Math.max(this.#ahead ?? Number.NEGATIVE_INFINITY, Date.parse(at) - this.ticks.now());
  }

  /** Returns the milliseconds from now to a time of the service. */
  until(time: string): number {
    return Date.parse(time) - this.ticks.now() - (this.#ahead ?? 0);
  }
}

/** A time in which the table can be looked at, unless who looks wants to go on. */
export class Pause {
  readonly #ticks: Ticks;
  /** Ends the pause that is under way. */
  end: () => void = () => undefined;

  constructor({ ticks }: Clock) {
    this.#ticks = ticks;
  }

  take(time: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#ticks.later(resolve, time);
      this.end = () => {
        stop();
        resolve();
      };
    });
  }
}
