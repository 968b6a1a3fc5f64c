import { ask, type Card, type Client, type DealPosition, type GameRecord, type Rules } from "catch-the-ten";
import { recordDeal } from "../src/deal-record.ts";

/** Chooses the card of a position; by default the first that is legal. */
export type Choose = (position: DealPosition, plays: { seat: number; card: Card }[]) => Promise<Card>;

const first: Choose = ({ legal_cards }) => Promise.resolve(legal_cards?.[0] as Card);

/** Plays a deal to its end by questions alone. */
export async function playDeal(
  client: Client,
  rules: Rules,
  players: number,
  seed: string,
  choose = first,
): Promise<{ record: GameRecord; dealt: DealPosition }> {
  const { position: dealt } = await ask(client, "deals", { rules, players, seed });
  const plays: { seat: number; card: Card }[] = [];
  for (let position = dealt; position.phase === "playing"; ) {
    const card = await choose(position, plays);
    plays.push({ seat: position.turn ?? 0, card });
    ({ position } = await ask(client, "next-states", { state: position.state, cards: [card] }));
  }
  return { record: recordDeal(dealt, plays), dealt };
}
