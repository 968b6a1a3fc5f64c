import type { GameEvent, LiveGame, RecordedPlay, Seat } from "./schema.ts";

/** Lets a call be given up. */
export interface CallOptions {
  /** The call is given up when it aborts, and throws its reason. */
  signal?: AbortSignal | null | undefined;
}

/** A call for a seat. */
export interface SeatOptions extends CallOptions {
  /** The seat: by default this bearer's; the host names it. */
  seat?: Seat;
}

/** A new token for a seat. */
export interface RenewOptions extends SeatOptions {
  /** The name of the player who takes the seat with it; by default the seat keeps its name. */
  name?: string | null;
}

/** The id of a game and, except for spectators, a token: all that it takes to join. It can be sent as a link. */
export interface Invitation {
  /** The id of the game. */
  id: string;
  /** The token of a seat, or of the host; spectators have none. */
  token?: string | undefined;
}

/** The options of following a game. */
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
  /** The events, in order. */
  readonly events: readonly GameEvent[];
  /**
   * True if the whole game is shown anew: for the first update, and when the store has lost changes that were shown.
   * Nothing leads from what was shown before to this.
   */
  readonly whole: boolean;
  /**
   * All plays of the deal so far, in order, as `suggestions` and `knowledge` take them; undefined if the loop began, or
   * changes were lost, after the first trick of the deal.
   */
  readonly plays: readonly RecordedPlay[] | undefined;
}
