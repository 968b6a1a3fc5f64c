// Calls with the functions of orval, and answers checked by the zod schemas that it makes: compiled strictly, never run.
import { deals, playCard } from "../orval/calls";
import { dealsResponse } from "../orval/zod";

export async function deal(): Promise<string[]> {
  const dealt = await deals({ rules: "trebor", players: 4 });
  if (dealt.status !== 200) return [];
  return dealsResponse.parse(dealt.data).position.legal_cards ?? [];
}

export const play = (game: string): Promise<unknown> => playCard(game, { card: "6C" }, { headers: { "If-Match": '"3-1f3a9c02"' } });
