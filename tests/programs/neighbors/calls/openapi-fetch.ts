// Calls as a client team writes them, with the types of openapi-typescript: compiled strictly, and run with an address.
import createClient from "openapi-fetch";

import type { components, paths } from "../openapi-typescript/types";

declare const process: { argv: string[] };
type Schemas = components["schemas"];

const client = createClient<paths>({ baseUrl: process.argv[2] });

/** Deals with the least that a first deal needs, and plays the first legal card. */
async function playFirstCard(): Promise<Schemas["Verdict"] | Schemas["DealPosition"]> {
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
function describe(event: Schemas["GameEvent"]): string {
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

/** Opens a live game, deals without a body, and plays a card on the version that was seen, and on one that is stale. */
async function playLive(): Promise<string> {
  const opened = await client.POST("/v1/games", { body: { rules: "trebor", sides: [[0, 2], [1, 3]] } });
  if (opened.error) throw new Error(opened.error.detail);
  const path = { game_id: opened.data.id };
  const seen = (version: string) => ({ path, header: { "If-Match": `"${version}"` } });
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const host = bearer(opened.data.host_token);
  const dealt = await client.POST("/v1/games/{game_id}/deals", { params: seen(opened.data.version), headers: host });
  if (dealt.error) throw new Error(dealt.error.detail);
  const headers = bearer(opened.data.seats[dealt.data.position?.turn ?? 0]?.token ?? "");
  const game = await client.GET("/v1/games/{game_id}", { params: { path }, headers });
  const card = game.data?.position?.legal_cards?.[0];
  if (card === undefined) throw new Error("no card");
  const play = (version: string) =>
    client.POST("/v1/games/{game_id}/plays", { params: seen(version), headers, body: { card } });
  const played = await play(dealt.data.version);
  if (played.error) throw new Error(played.error.detail);
  const stale = await play(opened.data.version);
  if (stale.error?.code !== "stale_version" || stale.error.version !== played.data.version) throw new Error("not stale");
  return played.data.events.map(describe).join();
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

playFirstCard().then(playLive).then(console.log);
