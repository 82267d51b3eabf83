import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "../../../../extension/src/core/pace.js";

/** @param {number} milliseconds */
const busy = (milliseconds) => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
};

test("long work lets others have their turn, and tells how far it is", async () => {
  /** @type {number[]} */
  const shares = [];
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  /** @type {number[]} */
  const seen = [];
  const pace = new Pace({ progress: (share) => shares.push(share) });
  await pace.each(2000, (index) => (seen.push(index), busy(0.1)), 0.5, 1);
  clearInterval(others);
  assert.deepEqual(seen, [...Array(2000).keys()]);
  assert.ok(turns >= 2);
  assert.ok(shares.length >= 2);
  assert.ok(shares.every((share, at) => share >= (shares[at - 1] ?? 0.5) && share <= 1));
});

test("steps are carried out to their end, with a rest where one is due, and given up between two", async () => {
  function* steps() {
    for (let step = 0; step < 20; step++) {
      busy(10);
      yield;
    }
    return "done";
  }
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  assert.equal(await new Pace().finish(steps()), "done");
  clearInterval(others);
  assert.ok(turns >= 2);
  const control = new AbortController();
  const work = new Pace({ signal: control.signal }).finish(steps());
  control.abort(new Error("enough"));
  await assert.rejects(work, /enough/);
});

test("aborted work ends", async () => {
  const control = new AbortController();
  let steps = 0;
  const work = new Pace({ signal: control.signal }).each(1e9, () => (steps++, busy(0.1)));
  setTimeout(() => control.abort(new Error("enough")), 60);
  await assert.rejects(work, /enough/);
  assert.ok(steps < 1e6);
  assert.throws(() => new Pace({ signal: AbortSignal.abort(new Error("already")) }), /already/);
});
