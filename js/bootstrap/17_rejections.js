// Promises that were rejected and that nobody handles: Rust is told, and told again should somebody do so later.

import { core, ops, primordials } from "ext:modgate/00_base.js";

const { SafeWeakMap } = primordials;

/** Their numbers, by the promise. */
const told = new SafeWeakMap();
let last = 0;

core.setUnhandledPromiseRejectionHandler((promise, reason) => {
  told.set(promise, ++last);
  ops.op_mg_rejected(last, reason);
  return true;
});

core.setHandledPromiseRejectionHandler((promise) => {
  const number = told.get(promise);
  if (number !== undefined) ops.op_mg_handled(number);
});
