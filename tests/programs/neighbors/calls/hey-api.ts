// Calls with the client of hey-api: compiled strictly, and run with an address.
import { dealNext, deals, nextStates, openGame, playCard } from "../hey-api";
import { client } from "../hey-api/client.gen";

declare const process: { argv: string[] };

client.setConfig({ baseUrl: process.argv[2] });

/** Plays a card that was dealt, and opens a live game and deals it. */
async function play(): Promise<string> {
  const dealt = await deals({ body: { rules: "trebor", players: 4 } });
  if (!dealt.data) throw new Error(dealt.error.detail);
  const { state, legal_cards: legal } = dealt.data.position;
  const next = await nextStates({ body: { state, cards: legal?.slice(0, 1) ?? [] } });
  if (!next.data) throw new Error(next.error.verdict?.detail ?? next.error.detail);
  const opened = await openGame({ body: { rules: "trebor", players: 4 } });
  if (!opened.data) throw new Error(opened.error.detail);
  const { id: game_id, host_token: auth, version } = opened.data;
  const first = await dealNext({ auth, path: { game_id }, headers: { "If-Match": `"${version}"` } });
  if (!first.data) throw new Error(first.error.detail);
  return first.data.phase;
}

/** What the document forbids does not compile. */
export async function refused(game_id: string): Promise<void> {
  // @ts-expect-error: a play names the version that was seen
  await playCard({ path: { game_id }, body: { card: "6C" } });
}

play().then(console.log);
