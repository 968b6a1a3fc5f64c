// Types by their own names, and cards by names of constants: compiled strictly.
import { Card, type DealQuestion, type DealState, type GameEvent, type GameRecord, type Hand, type RequestFault } from "../openapi-typescript/root-types";

export const ten: `${Card}` = Card.TEN_OF_HEARTS;
export const known: Record<string, Event | Error> = {}; // the types of TypeScript itself are not hidden

export function count(hand: Hand): number {
  return typeof hand === "number" ? hand : hand.length;
}

export function first(record: GameRecord): Card | undefined {
  return record.deals[0]?.plays[0]?.card;
}

export function place(faults: RequestFault[], events: GameEvent[], state: DealState): string[] {
  return [...faults.map((fault) => fault.pointer), ...events.map((event) => event.type), state.turn_up];
}

export const deal = (rules: DealQuestion["rules"]): DealQuestion => ({ rules, players: 4 });
