/** The points of deals that are over, as the service counts them. */

import { ask, type Client, type DealPosition, type GameRecord, isProblem } from "catch-the-ten";
import { cutDeal } from "./deal-record.ts";
import type { DealCount } from "./table-model.ts";

/** Counts a deal; by its sums alone where the service answers questions only to apps with a key, as no page has one. */
export async function countDeal(client: Client, { state, points, totals }: DealPosition): Promise<DealCount> {
  try {
    return await ask(client, "scores", { state });
  } catch (error) {
    if (!isProblem(error, "api_key_missing")) throw error;
    return { sides: sumUp(points, totals) };
  }
}

/** Counts the deals of a record, by their numbers, each with its own record. */
export async function countDeals(client: Client, record: GameRecord): Promise<Map<number, DealCount>> {
  const { deals } = await ask(client, "adjudications", record);
  return new Map(
    deals.map(({ points, totals }, at) => {
      const own = cutDeal(record, at, deals[at - 1]?.totals ?? record.scores);
      return [own.deal as number, { sides: sumUp(points, totals), record: own }];
    }),
  );
}

function sumUp(points: readonly number[], totals: readonly number[]): DealCount["sides"] {
  return points.map((made, side) => ({ side, points: made, total: totals[side] ?? 0 }));
}
