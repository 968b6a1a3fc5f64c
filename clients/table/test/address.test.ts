import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress, writeAddress } from "../src/address.ts";

test("an address leads to what it was written for", () => {
  const token = "aB-_3".repeat(5);
  for (const address of [{}, { position: "ctt1_trebor_02.13_1_0.0_3-Ad_0_0.0" }, { game: "x".repeat(22), token }]) {
    assert.deepEqual(readAddress(writeAddress(address)), address);
  }
});

test("what an address does not know is left out", () => {
  assert.deepEqual(readAddress("#other=1&position="), {});
});
