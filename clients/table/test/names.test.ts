import assert from "node:assert/strict";
import { test } from "node:test";
import { namePlayers } from "../src/names.ts";

const name = (...names: (string | null)[]): string[] =>
  namePlayers({ seats: names.map((given, seat) => ({ seat, name: given, computer: null })) });

test("players whose names look alike are told apart, whatever the case, the width and the blanks", () => {
  assert.deepEqual(name("Ann", "Ann", "Bea", "Ann"), ["Ann", "Ann (2)", "Bea", "Ann (3)"]);
  assert.deepEqual(name("Ann B", "ann b", "AnnB", "Ａｎｎ Ｂ"), ["Ann B", "ann b (2)", "AnnB (3)", "Ａｎｎ Ｂ (4)"]);
  assert.deepEqual(name("Ann (2)", "Ann", "Ann"), ["Ann (2)", "Ann", "Ann (3)"]);
  assert.deepEqual(name("Ann", "Anne", "Än", null), ["Ann", "Anne", "Än", "Player 4"]);
});

test("a person who is called like a computer is told apart from it", () => {
  const isla = { seat: 1, name: null, computer: "easy" } as const;
  assert.deepEqual(namePlayers({ seats: [{ seat: 0, name: "isla", computer: null }, isla] }), ["isla", "Isla (2)"]);
});

test("who changes seats keeps the name", () => {
  const ann = { name: "Ann", computer: null };
  const seats = [
    { ...ann, seat: 0 },
    { ...ann, seat: 1 },
    { seat: 2, name: null, computer: "easy" as const },
  ];
  assert.deepEqual(namePlayers({ seats, seating: { first_seats: [1, 2, 0] } }), ["Ann", "Ann (2)", "Una"]);
});
