/** A deal played back: what each play lost, by one question to the service. */

import {
  type AnalyzedDeal,
  ask,
  type Client,
  type DealPosition,
  type GameRecord,
  type RecordedPlay,
} from "catch-the-ten";

/** Returns the record of a deal from a position before its first trick was taken, and all its plays. */
export function recordDeal({ state }: DealPosition, plays: readonly RecordedPlay[]): GameRecord {
  const { rules, sides, dealer, turn_up, later_hands, deal, scores } = state;
  const played = plays.slice(0, state.trick.length);
  const hands = state.hands.map((hand, seat) =>
    Array.isArray(hand) ? [...hand, ...played.filter((play) => play.seat === seat).map(({ card }) => card)] : hand,
  );
  return { rules, sides, deal, scores, deals: [{ dealer, turn_up, hands, later_hands, plays: [...plays] }] };
}

/** Finds out what each play of a deal lost; `deal` is its number in the game. */
export async function review(client: Client, record: GameRecord, deal: number): Promise<AnalyzedDeal | undefined> {
  const deal_index = deal - (record.deal ?? 1);
  // A game that was opened in the middle of a deal has no record of it.
  if (record.deals[deal_index] === undefined) return undefined;
  const answer = await ask(client, "analyses", { record, deal_index });
  return answer.deal ?? undefined;
}
