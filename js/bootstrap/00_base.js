// What every later script builds on: errors, and promises that the Rust side settles.
// Built-ins come from `primordials`, captured before a mod's code can run.

import { core, primordials } from "ext:core/mod.js";

const {
  ArrayIsArray,
  Error,
  ErrorPrototype,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectIsFrozen,
  ObjectKeys,
  ObjectPrototypeIsPrototypeOf,
  Promise,
  SafeMap,
  SafeWeakSet,
} = primordials;

const { ops, getAsyncContext, setAsyncContext } = core;

/**
 * An error of the host, as mods see it: a plain `Error` with a name of its own. Its kind is told by the name alone.
 */
function hostError(name, message) {
  const error = new Error(message);
  ObjectDefineProperty(error, "name", { __proto__: null, value: name, enumerable: true, configurable: true, writable: true });
  return error;
}

/** The error with which the chain and the calls on `$` reject. */
function HooksError(message) {
  return hostError("HooksError", message);
}

/** The error that Rust named: `[name, message]`. */
function faultError(fault) {
  return hostError(fault[0], fault[1]);
}

let lastPromise = 0;
const pending = new SafeMap();

/** Errors that came from beneath a mod: a hook that lets one pass has not failed. */
const fromBeneath = new SafeWeakSet();

/** A promise that Rust settles by its number. */
function expectReply(isBeneath) {
  const id = ++lastPromise;
  const promise = new Promise((resolve, reject) => pending.set(id, { resolve, reject, isBeneath }));
  return { id, promise };
}

/** Called by Rust. */
function settle(id, isOk, value) {
  const waiting = pending.get(id);
  if (waiting === undefined) return;
  pending.delete(id);
  if (isOk) return waiting.resolve(value);
  const error = faultError(value);
  if (waiting.isBeneath) fromBeneath.add(error);
  waiting.reject(error);
}

/** Nobody waits any more: what Rust still says about it is dropped. */
function forget(id) {
  pending.delete(id);
}

function isError(value) {
  return ObjectPrototypeIsPrototypeOf(ErrorPrototype, value);
}

/** Plain data and all that is in it, frozen. */
function freezeDeep(value) {
  if (typeof value !== "object" || value === null || ObjectIsFrozen(value)) return value;
  ObjectFreeze(value);
  const parts = ArrayIsArray(value) ? value : ObjectKeys(value);
  for (let index = 0; index < parts.length; index++) freezeDeep(ArrayIsArray(value) ? parts[index] : value[parts[index]]);
  return value;
}

export { core, expectReply, faultError, forget, freezeDeep, fromBeneath, getAsyncContext, HooksError, hostError, isError, ops, primordials, setAsyncContext, settle };
