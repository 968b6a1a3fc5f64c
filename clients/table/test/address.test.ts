import assert from "node:assert/strict";
import { test } from "node:test";
import { checkToken, DamagedAddress, readAddress, readSeats, writeAddress } from "../src/address.ts";

test("an address leads to what it was written for", () => {
  const token = "aB-_3".repeat(5);
  for (const address of [{}, { position: "ctt1_trebor_02.13_1_0.0_3-Ad_0_0.0" }, { game: "x".repeat(22), token }]) {
    assert.deepEqual(readAddress(writeAddress(address)), address);
  }
});

test("what an address does not know is left out", () => {
  assert.deepEqual(readAddress("#other=1&position="), {});
});

test("what a chat adds to the end of a link is no part of it", () => {
  const token = "aB-_3".repeat(5);
  const names = "Wilhelmina Jr.\nAnn (2)";
  for (const address of [
    { position: "ctt1_trebor_02.13_1_0.0_3-Ad_0_0.0", seat: "0" },
    { game: "x".repeat(22), token },
    { game: "x".repeat(22), seats: `.${token}.${token}` },
    { names, deal: "[CatchTheTen 1]\n0: Ah 6h" },
  ]) {
    const hash = writeAddress(address);
    assert.doesNotMatch(hash, /[!'()*<>"]/);
    for (const added of [".", ",", ")", ">", "%3E", ").", '"', "%22", "!", "…", "%E2%80%A6", ";", "'", "**", "%20"])
      assert.deepEqual(readAddress(hash + added), address, hash + added);
  }
});

test("a token that is cut short leads nowhere, and is no used one", () => {
  const secret = "aB-_3".repeat(9).slice(0, 43);
  for (const token of [secret, `ctt_seat_${secret}`, `ctt_host_${secret}`]) {
    assert.equal(checkToken(token), token);
    assert.deepEqual(readSeats(`.${token}.`), [null, token, null]);
    for (const damaged of [token.slice(0, -1), token.slice(1), `${token}x`, token.replace("B", "=")]) {
      assert.throws(() => checkToken(damaged), DamagedAddress, damaged);
      assert.throws(() => readSeats(`.${token}.${damaged}`), DamagedAddress, damaged);
    }
  }
});
