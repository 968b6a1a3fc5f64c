import assert from "node:assert/strict";
import { test } from "node:test";
import { fan, seatAround, seatSides } from "../src/seating.ts";

test("the others sit clockwise around the table, as many on the left as on the right", () => {
  for (let players = 2; players <= 8; players += 1) {
    for (let me = 0; me < players; me += 1) {
      const { left, top, right } = seatAround(me, players);
      const order = Array.from({ length: players - 1 }, (_, place) => (me + 1 + place) % players);
      assert.deepEqual([...left, ...top, ...right], order);
      assert.equal(left.length, right.length);
      if (players % 2 === 0) assert.equal(top[(top.length - 1) / 2], (me + players / 2) % players);
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
