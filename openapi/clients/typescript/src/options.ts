import type { GameEvent, LiveGame, Seat } from "./schema.ts";

/** Lets a call be given up. */
export interface CallOptions {
  /** The call is given up when it aborts, and throws its reason. */
  signal?: AbortSignal | null | undefined;
}

/** A call for a seat. */
export interface SeatOptions extends CallOptions {
  /** The seat: by default that of this bearer; the host names it. */
  seat?: Seat;
}

/** A new token for a seat. */
export interface RenewOptions extends SeatOptions {
  /** The name of who takes the seat with it; by default the seat keeps its name. */
  name?: string | null;
}

/** What it takes to be at a game: its id and, unless one only looks on, a token. It can be sent as a link. */
export interface Invitation {
  /** The id of the game. */
  id: string;
  /** The token of a seat, or of the host; spectators have none. */
  token?: string | undefined;
}

/** How a game is followed. */
export interface FollowOptions extends CallOptions {
  /** Called with true whenever changes come again, by the stream or by asking, and with false whenever they do not. */
  onConnection?: (connected: boolean) => void;
  /** Called with the seats that are present whenever these are others; `state` shows them then. */
  onPresence?: (present: readonly Seat[]) => void;
  /** Milliseconds without a sign of life after which the stream is taken for dead. By default 20,000. */
  silence?: number | undefined;
}

/** A step of a game that is followed. */
export interface GameUpdate {
  /** The game after it. */
  readonly state: LiveGame;
  /** What happened, in order. */
  readonly events: readonly GameEvent[];
  /**
   * True if the whole game is shown anew: for the first update, and when the store has lost changes that were shown.
   * Nothing leads from what was shown before to this.
   */
  readonly whole: boolean;
}
