import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, createClient, type DealPosition, type RecordedPlay, type Rules, unwrap } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";
import { DamagedAddress, readAddress, writeAddress } from "../src/address.ts";
import { openLink } from "../src/board.ts";
import { addressOfDeal, cutDeal, readDeal, readNames, recordDeal, writeDeal } from "../src/deal-record.ts";
import { houseRules } from "../src/house-rules.ts";
import { playDeal } from "./deals.ts";

const RECORD = "text/vnd.catch-the-ten.record";

test("a deal is written as the service reads it, by every ruleset and by house rules", async () => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl });
  const { rulesets } = await unwrap(client.GET("/v1/rulesets"));
  const [first = assert.fail()] = rulesets;
  const tables = rulesets.flatMap(({ id, tables: all }) => all.map(({ players }) => [id as Rules, players] as const));
  for (const [rules, players] of [...tables, [houseRules(first, { ...first, target: 45 }), 4] as const]) {
    const { record } = await playDeal(client, rules, players, "arran");
    const text = writeDeal(record);
    assert.deepEqual(writeDeal(readDeal(text)), text);
    const ask = (type: string, body: string) =>
      fetch(`${service.baseUrl}/v1/adjudications`, { method: "POST", headers: { "content-type": type }, body });
    const answers = await Promise.all([ask(RECORD, text), ask("application/json", JSON.stringify(readDeal(text)))]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
      text,
    );
    const [said, meant] = await Promise.all(answers.map((answer) => answer.json()));
    assert.deepEqual(said, meant);
    assert.deepEqual(
      said.irregularities.filter(({ code }: { code: string }) => code !== "deal_not_finished"),
      [],
    );
  }
});

test("the address of a deal leads back to it, and has the names of its players and no more", async () => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl });
  const { record, dealt } = await playDeal(client, "trebor", 4, "arran");
  const names = ["Ann", "", "Zoë & Co.", "x".repeat(99)];
  const hash = writeAddress(addressOfDeal(record, names));
  const address = readAddress(hash);
  assert.deepEqual(Object.keys(address), ["names", "deal"]);
  assert.deepEqual(readNames(address), ["Ann", "", "Zoë & Co.", "x".repeat(40)]);
  assert.equal(address.deal, writeDeal(record));
  assert(hash.length < 1000, `${hash.length} characters`);
  const proof = { commitment: "a secret" };
  const kept = { ...record, deals: record.deals.map((deal) => ({ ...deal, proof })), resigned: 1 };
  assert.equal(writeDeal(cutDeal(kept as never, 0, dealt.state.scores)), writeDeal(record));
});

test("a link that says no deal is said to be damaged, whatever is wrong with it", async () => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl });
  const { record } = await playDeal(client, "trebor", 2, "arran");
  const text = writeDeal(record);
  for (const bad of [
    "",
    "nonsense",
    text.slice(0, 60),
    text.replace("[CatchTheTen 1]", "[CatchTheTen 2]"),
    text.replace('"trebor"', '"none"'),
    text.replace(/\[Hands .*\]/, '[Hands "6 6 6"]'),
    text.replace(/\[Hands .*\]/, "[Hands 6]"),
    text.replace(/\[Sides .*\]/, "[Sides 7]"),
    text.replace(/\[Sides .*\]/, ""),
    text.replace(/\[TurnUp .*\]/, '[TurnUp "1x"]'),
    text.replace(/\[Hands "(\S+) /, '[Hands "6-6-6 '),
    text.replace(/^(\d: )\w\w/m, "$1Xx"),
    `${text}\n${text.slice(text.indexOf("[Dealer"))}`,
    text
      .split("\n")
      .filter((line) => line.startsWith("["))
      .join("\n"),
    text + " ".repeat(10_000),
  ])
    await assert.rejects(openLink(client, bad), DamagedAddress, bad.slice(0, 300));
});

test("a deal is recorded from any position before its first trick was taken", async () => {
  await using service = await Service.start();
  const client = createClient({ baseUrl: service.baseUrl });
  const { record, dealt } = await playDeal(client, "gamerules", 4, "arran");
  const plays = record.deals[0]?.plays as RecordedPlay[];
  let position: DealPosition = dealt;
  for (const { card } of plays.slice(0, 3)) {
    ({ position } = await ask(client, "next-states", { state: position.state, cards: [card] }));
    assert.deepEqual(writeDeal(recordDeal(position, plays)), writeDeal(record));
  }
});
