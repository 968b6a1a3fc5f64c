import assert from "node:assert/strict";
import { test } from "node:test";
import { fan, placeSeat, seatSides } from "../src/seating.ts";

test("who plays sits nearest, and the next seat to the left of that one", () => {
  for (let players = 2; players <= 8; players += 1) {
    for (let me = 0; me < players; me += 1) {
      const places = Array.from({ length: players }, (_, seat) => placeSeat(seat, me, players));
      const nearest = places.reduce((one, other) => (other.y > one.y ? other : one));
      assert.equal(nearest, places[me]);
      if (players > 2) assert((places[(me + 1) % players]?.x ?? 100) < 50);
    }
  }
});

test("a hand is a fan that is level in the middle and the same on both sides", () => {
  for (let cards = 1; cards <= 18; cards += 1) {
    const turns = Array.from({ length: cards }, (_, index) => fan(index, cards));
    turns.forEach(({ turn, drop }, index) => {
      const other = turns[cards - 1 - index] ?? assert.fail();
      assert(Math.abs(turn + other.turn) < 1e-9 && Math.abs(drop - other.drop) < 1e-9);
    });
    assert((turns.at(-1)?.turn ?? 0) - (turns[0]?.turn ?? 0) <= 30);
  }
});

test("partners sit evenly around the table, and each seat is on one side", () => {
  assert.deepEqual(seatSides(6, 2), [
    [0, 2, 4],
    [1, 3, 5],
  ]);
  assert.deepEqual(seatSides(6, 3), [
    [0, 3],
    [1, 4],
    [2, 5],
  ]);
  assert.deepEqual(seatSides(3, 3), [[0], [1], [2]]);
});
