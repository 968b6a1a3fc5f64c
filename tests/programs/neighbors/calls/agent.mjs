// Asks and plays as an agent does, with modules of the official SDK: node agent.mjs URL VERSION MODULE …
import assert from "node:assert/strict";

const [url, version, ...modules] = process.argv.slice(2);
const sdk = Object.assign({}, ...(await Promise.all(modules.map((module) => import(module)))));

// An SDK of version 1, of several modules, asks for its latest version of the protocol; that of version 2 can pin one.
const client = new sdk.Client({ name: "neighbors", version: "1" }, { versionNegotiation: { mode: { pin: version } } });
assert.equal(modules.length > 1 ? sdk.LATEST_PROTOCOL_VERSION : version, version);
await client.connect(new sdk.StreamableHTTPClientTransport(new URL(url)));

/** Returns what a tool answers, which is a text in every version. */
async function call(name, args) {
  const { content } = await client.callTool({ name, arguments: args });
  return JSON.parse(content[0].text);
}

const { tools } = await client.listTools();
assert.ok(tools.length > 20);
const trick = { trump: "H", leader: 0, players: 4, cards: ["AS", "10H", "6S", "JH"] };
const refused = await call("trick_winners", { trick });
assert.equal(refused.errors[0].pointer, "/trick/cards/1");
assert.equal((await call("trick_winners", { trick: { ...trick, cards: ["AS", "TH", "6S", "JH"] } })).seat, 3);

const opened = await call("open_game", { rules: "gamerules", players: 2, first_dealer: 1 });
const [first, second] = opened.seats.map((seat) => seat.token);
const dealt = await call("deal_next", { game_id: opened.id, token: second, version: opened.version });
const seen = await call("get_game", { game_id: opened.id, token: first });
const play = { game_id: opened.id, token: first, card: seen.position.legal_cards[0] };
const played = await call("play_card", { ...play, version: dealt.version });
assert.deepEqual(played.position.state.trick, [play.card]);
assert.equal((await call("play_card", { ...play, version: opened.version })).code, "stale_version");
assert.ok((await client.listResources()).resources.length > 0);
await client.close();
