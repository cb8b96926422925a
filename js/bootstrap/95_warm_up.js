// V8 compiles a function at its first call, and a snapshot keeps what is compiled. So the way of a hook is gone once
// while the snapshot is made: no isolate has to compile it again. Rust does not listen yet, so the ops do nothing.

import { primordials } from "ext:modgate/00_base.js";
import { registrations } from "ext:modgate/20_registry.js";

const { Error } = primordials;

const TABLE = [
  ["plugin", [["name", "value", "warm-up"]]],
  ["clock", [["now", "async", undefined], ["after", "async", undefined]]],
  ["ui", [["invalidate", "void", undefined]]],
];

/** The input of every event here. */
const INPUT = { value: 1 };

/** Hooks that pass on, rewrite, call `$`, fail and stream. */
function hooks(on) {
  on("warm.up", async ($, e, next) => {
    $.clock.now().then(() => {}, () => {});
    const answer = await next(e);
    return { ...answer, remaining: next.budget.remainingMs };
  });
  on("warm.up", { value: 1 }, ($, e, next) => next({ ...e }));
  on("warm.fails", () => {
    throw new Error("on purpose");
  }).catch(($, e, next) => next(e));
  on("warm.stream", async function* ($, e, next) {
    return yield* next(e);
  });
}

/** `calls` are the functions of the bootstrap that Rust calls. Leaves nothing behind but what is compiled. */
function warmUp(calls) {
  calls.finish([], [{ method() {} }]);
  calls.setTable(TABLE);
  calls.register(0, { register: hooks }, {});
  const run = (call, id, event, indices) =>
    call(id, event, indices, indices.map(() => true), INPUT, "warm-up", "user", 10_000);
  run(calls.invoke, 1, "warm.up", [0]);
  run(calls.invoke, 2, "warm.up", [1]);
  run(calls.invoke, 3, "warm.fails", [2]);
  run(calls.openStream, 4, "warm.stream", [3]);
  calls.pull(4);
  calls.closeStream(4);
  // More than were asked for: what nobody waits for is dropped.
  for (let promise = 1; promise < 12; promise++) calls.settle(promise, promise % 3 !== 0, promise % 3 !== 0 ? {} : ["Error", "on purpose"]);
  registrations.length = 0;
}

export { warmUp };
