// What every later script builds on: errors, and promises that the Rust side settles.
// Built-ins come from `primordials`, captured before a mod's code can run.

import { core, primordials } from "ext:core/mod.js";

const { Error, ErrorPrototype, ObjectDefineProperty, ObjectPrototypeIsPrototypeOf, Promise, SafeMap, SafeWeakSet, TypeError } = primordials;

const { ops, getAsyncContext, setAsyncContext } = core;

/** The error with which the chain and the calls on `$` reject. */
class HooksError extends Error {
  constructor(message) {
    super(message);
    ObjectDefineProperty(this, "name", { __proto__: null, value: "HooksError", configurable: true, writable: true });
  }
}

function named(ErrorClass, name) {
  return class extends ErrorClass {
    constructor(message) {
      super(message);
      ObjectDefineProperty(this, "name", { __proto__: null, value: name, configurable: true, writable: true });
    }
  };
}

const errorClasses = { __proto__: null, HooksError, TypeError, AbortError: named(Error, "AbortError") };

/** The error that Rust named: `[name, message]`. */
function faultError(fault) {
  const ErrorClass = errorClasses[fault[0]];
  if (ErrorClass !== undefined) return new ErrorClass(fault[1]);
  const error = new Error(fault[1]);
  ObjectDefineProperty(error, "name", { __proto__: null, value: fault[0], configurable: true, writable: true });
  return error;
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

export { core, expectReply, faultError, forget, fromBeneath, getAsyncContext, HooksError, isError, ops, primordials, setAsyncContext, settle };
