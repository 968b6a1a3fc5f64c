/** What the service suggests to a seat; where its operator has turned suggestions off, any legal card is as good. */

import {
  ask,
  type Card,
  type Client,
  type ComputerLevel,
  type DealPosition,
  isProblem,
  type RecordedPlay,
  type Suggestion,
} from "catch-the-ten";

/** How well the seats of the computer play: `any` plays any legal card. */
export type Strength = ComputerLevel | "any";

/** Asks what the seat to play should do. Returns undefined if the service makes no suggestions. */
export async function suggest(
  client: Client,
  position: DealPosition,
  plays: readonly RecordedPlay[] | undefined,
  level: ComputerLevel,
): Promise<Suggestion | undefined> {
  try {
    return await ask(client, "suggestions", {
      state: position.state,
      level,
      ...(plays && { plays: [...plays] }),
    });
  } catch (error) {
    if (isProblem(error, "suggestions_off")) return undefined;
    throw error;
  }
}

/** Returns the card that the computer plays for the seat whose turn it is. */
export async function choose(
  client: Client,
  position: DealPosition,
  plays: readonly RecordedPlay[] | undefined,
  strength: Strength,
): Promise<Card> {
  const legal = position.legal_cards ?? [];
  const found = strength === "any" || legal.length < 2 ? undefined : await suggest(client, position, plays, strength);
  const card = found?.card ?? legal[Math.floor(Math.random() * legal.length)];
  if (card === undefined) throw new Error("The seat to play holds no card.");
  return card;
}
