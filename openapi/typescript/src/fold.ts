import type { GameEvent, LiveGame, StreamedChange } from "./schema.ts";

/** Returns a game after the change that follows on it. */
export function fold(game: LiveGame, { at, events, shuffle, ...after }: StreamedChange): LiveGame {
  const lasts = Date.parse(game.expires_at) - Date.parse(game.changed_at);
  const shuffles = shuffle ? [...game.shuffles.filter(({ deal }) => deal !== shuffle.deal), shuffle] : game.shuffles;
  const expires_at = new Date(Date.parse(at) + lasts).toISOString();
  return events.reduce(foldEvent, { ...game, ...after, changed_at: at, expires_at, shuffles });
}

function foldEvent(game: LiveGame, event: GameEvent): LiveGame {
  switch (event.type) {
    case "cards_dealt":
      return { ...game, last_trick: null };
    case "trick_taken": {
      const seats = game.sides.flat().length;
      const cards = event.cards.map((card, at) => ({ seat: (event.leader + at) % seats, card }));
      return { ...game, last_trick: { cards, winner: event.seat } };
    }
    case "resigned":
      return { ...game, resigned: event.seat };
    default:
      return game;
  }
}
