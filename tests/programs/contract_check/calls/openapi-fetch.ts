// Calls as a client team writes them, with the types of openapi-typescript: compiled strictly, never run.
import createClient from "openapi-fetch";

import type { components, paths } from "../openapi-typescript/types";

type Schemas = components["schemas"];

const client = createClient<paths>({ baseUrl: "http://localhost:8000" });

/** Deals with the least that a first deal needs, and plays the first legal card. */
export async function playFirstCard(): Promise<Schemas["Verdict"] | Schemas["DealPosition"]> {
  const dealt = await client.POST("/v1/deals", { body: { rules: "trebor", players: 4 } });
  if (dealt.error) throw new Error(dealt.error.detail);
  const { state, legal_cards: legal } = dealt.data.position;
  const card = legal?.[0];
  if (card === undefined) throw new Error("no card");
  const next = await client.POST("/v1/next-states", { body: { state, cards: [card] } });
  if (next.data) return next.data.position;
  if (next.error.verdict) return next.error.verdict; // of `illegal_play` alone
  throw new Error(`${next.error.code}: ${next.error.errors?.map((fault) => fault.pointer).join()}`);
}

/** Tells events apart by their type; one that is not known yet is one of them. */
export function describe(event: Schemas["GameEvent"]): string {
  switch (event.type) {
    case "card_played":
      return `${event.seat}: ${event.card}`;
    case "trick_taken":
      return `${event.seat}: ${event.cards?.join(" ")}`;
    case "game_won":
      return `${event.winners?.join()}`;
    default:
      return event.type;
  }
}

/** Opens a live game, deals without a body, and plays a card, each on the version that was seen. */
export async function playLive(card: Schemas["Card"]): Promise<number> {
  const opened = await client.POST("/v1/games", { body: { rules: "denexa", sides: [[0, 2], [1, 3]] } });
  if (opened.error) throw new Error(opened.error.detail);
  const path = { game_id: opened.data.id };
  const headers = { Authorization: `Bearer ${opened.data.host_token}` };
  const header = { "If-Match": `"${opened.data.version}"` };
  await client.POST("/v1/games/{game_id}/deals", { params: { path, header }, headers });
  const played = await client.POST("/v1/games/{game_id}/plays", { params: { path, header }, headers, body: { card } });
  if (played.data) return Number.parseInt(played.data.version, 10);
  switch (played.error.code) {
    case "stale_version":
      return Number.parseInt(played.error.version ?? "0", 10);
    case "not_your_turn":
      return played.error.turn ?? 0;
    case "too_many_requests":
      return played.error.seconds ?? 0;
    default:
      throw new Error(played.error.detail);
  }
}

/** What the document forbids does not compile. */
export async function refused(state: Schemas["DealState"]): Promise<void> {
  // @ts-expect-error: there is no such ruleset
  await client.POST("/v1/deals", { body: { rules: "bridge", players: 4 } });
  // @ts-expect-error: a play names the version that was seen
  await client.POST("/v1/games/{game_id}/plays", { params: { path: { game_id: "" } }, body: { card: "6C" } });
  // @ts-expect-error: there is no such card
  await client.POST("/v1/verdicts", { body: { state, card: "10C" } });
}
