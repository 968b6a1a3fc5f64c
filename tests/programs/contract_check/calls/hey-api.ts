// Calls with the client of hey-api: compiled strictly, never run.
import { deals, nextStates, playCard } from "../hey-api";

export async function play(game_id: string): Promise<string> {
  const dealt = await deals({ body: { rules: "trebor", players: 4 } });
  if (!dealt.data) return dealt.error.detail;
  const next = await nextStates({ body: { state: dealt.data.position.state, cards: ["6C"] } });
  if (next.error?.code === "illegal_play") return next.error.verdict?.detail ?? "";
  await playCard({ path: { game_id }, headers: { "If-Match": '"3-1f3a9c02"' }, body: { card: "6C" } });
  // @ts-expect-error: a play names the version that was seen
  await playCard({ path: { game_id }, body: { card: "6C" } });
  return "";
}
