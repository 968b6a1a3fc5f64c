import type { GameChange, GameEvent, GameSeat, LiveGame, Seat } from "./schema.ts";
import { seatTrick } from "./trick.ts";

/** Returns a game after the change that follows on it. */
export function fold(game: LiveGame, { at, events, shuffles: fresh, ...after }: GameChange): LiveGame {
  const kept = game.shuffles.filter(({ deal }) => fresh.every((shuffle) => shuffle.deal !== deal));
  const shuffles = [...kept, ...fresh].sort((one, other) => one.deal - other.deal);
  // The stream of a token that is void ends with the change that says so, which no longer shows the hand of its seat.
  const isVoid = events.some((event) => event.type === "token_renewed" && event.seat === game.seat);
  const position = isVoid ? game.position : after.position;
  return events.reduce(foldEvent, { ...game, ...after, position, changed_at: at, shuffles });
}

function foldEvent(game: LiveGame, event: GameEvent): LiveGame {
  switch (event.type) {
    case "cards_dealt":
      return { ...game, last_trick: null };
    case "trick_taken": {
      const cards = seatTrick(event.cards, event.leader, game.seats.length);
      return { ...game, last_trick: { cards, winner: event.seat } };
    }
    case "computer_seated":
      return setSeat(game, event.seat, { computer: event.level });
    case "computer_left":
      return setSeat(game, event.seat, { computer: null });
    case "token_renewed":
      return setSeat(game, event.seat, { name: event.name });
    case "rematch_opened":
      return { ...game, rematch: event.game };
    case "resigned":
      return { ...game, resigned: event.seat };
    case "card_played":
    case "time_ran_out":
    case "take_back_asked":
    case "taken_back":
    case "hand_played_out":
    case "revoked":
    case "deal_scored":
    case "game_won":
    case "entropy_added":
      return game;
    default:
      event satisfies never; // a service that is newer than this package may say more
      return game;
  }
}

/** Returns a game with the seats that are present by now; the very game if they are the same. */
export function setPresent(game: LiveGame, present: readonly Seat[]): LiveGame {
  if (game.seats.every((seat) => seat.present === present.includes(seat.seat))) return game;
  return { ...game, seats: game.seats.map((seat) => ({ ...seat, present: present.includes(seat.seat) })) };
}

function setSeat(game: LiveGame, at: Seat, changed: Partial<GameSeat>): LiveGame {
  return { ...game, seats: game.seats.map((seat) => (seat.seat === at ? { ...seat, ...changed } : seat)) };
}
