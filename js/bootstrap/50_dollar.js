// `$`: one frozen object an isolate, whose methods hand their arguments to Rust.

import { expectReply, faultError, forget, HooksError, ops, primordials } from "ext:modgate/00_base.js";
import { isAbortSignal } from "ext:modgate/10_web.js";
import { reportThrown } from "ext:modgate/15_timers.js";
import { currentFrame } from "ext:modgate/25_frame.js";
import { messageOf } from "ext:modgate/30_chain.js";
import { failedStream, remoteStream } from "ext:modgate/40_streams.js";

const { JSONParse, JSONStringify, MathMax, ObjectFreeze, PromisePrototypeThen, PromiseReject, SafePromisePrototypeFinally, TypeError } =
  primordials;

/** The mod of this isolate: what it is refused begins with its name. */
let caller = "";

const refusal = (why) => new HooksError(`${caller}: ${why}`);

/** Waiting that is the hook's own time although it is a call. */
const OWN_TIME = { __proto__: null, "clock.sleep": true };

function send(name, promise, args) {
  const frame = currentFrame();
  const isInHook = frame !== undefined && !frame.isOver;
  const refused = ops.op_mg_call(
    isInHook ? frame.invocation.id : 0,
    isInHook ? frame.registration.index : -1,
    name,
    promise,
    args,
  );
  return refused === undefined ? undefined : faultError(refused);
}

/** Makes a `$` call: a promise of its value. */
function call(name, args) {
  const { id, promise } = expectReply(false);
  const error = send(name, id, args);
  if (error !== undefined) {
    forget(id);
    return PromiseReject(error);
  }
  const frame = currentFrame();
  if (frame === undefined || frame.isOver || OWN_TIME[name]) return promise;
  frame.pause();
  return SafePromisePrototypeFinally(promise, () => frame.resume());
}

/** Calls that an AbortSignal in their options ends; to the others such a key is one like any. */
const ENDED_BY_SIGNAL = { __proto__: null, "audio.play": true, "audio.speak": true, "clock.sleep": true };

/** The same with an AbortSignal that ends it. */
function callWithSignal(name, args, signal) {
  if (signal === undefined || signal === null) return call(name, args);
  if (!isAbortSignal(signal)) return PromiseReject(refusal(`$.${name}: options.signal is no AbortSignal`));
  if (signal.aborted) return PromiseReject(abortError(signal));
  const { id, promise } = expectReply(false);
  const error = send(name, id, args);
  if (error !== undefined) {
    forget(id);
    return PromiseReject(error);
  }
  const stop = () => {
    ops.op_mg_cancel(id);
  };
  signal.addEventListener("abort", stop);
  const frame = currentFrame();
  const isCounted = frame !== undefined && !frame.isOver && !OWN_TIME[name];
  if (isCounted) frame.pause();
  return SafePromisePrototypeFinally(promise, () => {
    signal.removeEventListener("abort", stop);
    if (isCounted) frame.resume();
  });
}

function abortError(signal) {
  return faultError(["AbortError", messageOf(signal.reason ?? "aborted")]);
}

/** A call whose caller does not wait: what goes wrong is Rust's to report. */
function notify(name, args) {
  const error = send(name, 0, args);
  if (error !== undefined) throw error;
}

function openCall(name, args) {
  const { id } = expectReply(false);
  forget(id);
  const error = send(name, id, args);
  return error === undefined ? remoteStream(id, false) : failedStream(error);
}

/** Takes a `signal` out of the options: it cannot cross, and stays a signal here. */
function splitSignal(args) {
  const options = args[1];
  if (typeof options !== "object" || options === null || options.signal === undefined) return undefined;
  const { signal, ...rest } = options;
  args[1] = rest;
  return signal;
}

/** What a key cannot be read of, where the call reads one without looking: the language's own error. */
function unreadable(name, args, reads) {
  for (let index = 0; index < reads.length; index++) {
    const value = args[reads[index]];
    if (value === null || value === undefined && reads[index] === 0) {
      return new TypeError(`$.${name}: ${value} is not an object`);
    }
  }
  return undefined;
}

function isDelay(value) {
  return typeof value === "number" && value >= 0 && value < Infinity;
}

reportThrown((error) => ops.op_mg_log("thrown", `a timer: ${messageOf(error)}`));

/** `$.clock.after`: runs a function once, unless the event is denied or cancelled. */
function after(milliseconds, run) {
  if (!isDelay(milliseconds)) throw refusal("$.clock.after takes a finite number of milliseconds, 0 or more");
  if (typeof run !== "function") throw refusal("$.clock.after takes a function");
  const { id, promise } = expectReply(false);
  const error = send("clock.after", id, [milliseconds]);
  if (error !== undefined) throw error;
  let isCancelled = false;
  PromisePrototypeThen(promise, () => {
    if (!isCancelled) runQuietly("clock.after", run);
  }, () => {});
  return ObjectFreeze({
    cancel() {
      isCancelled = true;
      forget(id);
      ops.op_mg_cancel(id);
    },
  });
}

/** `$.clock.every`: one event a period; a throw of the function does not end it, a deny does. */
function every(milliseconds, run) {
  if (!isDelay(milliseconds)) throw refusal("$.clock.every takes a finite number of milliseconds, 0 or more");
  if (typeof run !== "function") throw refusal("$.clock.every takes a function");
  let isCancelled = false;
  let waiting = 0;
  const period = () => {
    const { id, promise } = expectReply(false);
    waiting = id;
    const error = send("clock.every", id, [MathMax(1, milliseconds)]);
    if (error !== undefined) throw error;
    PromisePrototypeThen(promise, () => {
      if (isCancelled) return;
      runQuietly("clock.every", run);
      if (!isCancelled) period();
    }, () => {});
  };
  period();
  return ObjectFreeze({
    cancel() {
      isCancelled = true;
      forget(waiting);
      ops.op_mg_cancel(waiting);
    },
  });
}

function runQuietly(name, run) {
  const tell = (error) => ops.op_mg_log("thrown", `${name}: ${messageOf(error)}`);
  try {
    const result = run();
    if (typeof result === "object" && result !== null && typeof result.then === "function") {
      result.then(undefined, tell);
    }
  } catch (error) {
    tell(error);
  }
}

/** Members that are more than their arguments and an answer, by name. Other scripts add theirs. */
const special = { __proto__: null, "clock.after": after, "clock.every": every, "state.set": stateSet, "store.set": storeSet };

/** What JSON gives back of a value; throws where it cannot hold it. */
function asJson(name, value) {
  let text;
  try {
    text = JSONStringify(value);
  } catch (error) {
    throw refusal(`$.${name}: ${messageOf(error)}`);
  }
  if (text === undefined) throw refusal(`$.${name} takes what JSON can hold, not ${typeof value}`);
  return JSONParse(text);
}

/** `$.store.set`: a value is what JSON gives back of it. */
async function storeSet(key, value) {
  return call("store.set", [key, asJson("store.set", value)]);
}

/** `$.state.set`, the same. */
async function stateSet(ref, value, ...rest) {
  return call("state.set", [ref, asJson("state.set", value), ...rest]);
}

function method(name, kind, reads = []) {
  if (special[name] !== undefined) return special[name];
  if (kind === "stream") return (...args) => openCall(name, args);
  if (kind === "withheld") {
    return () => {
      throw new HooksError(`$.${name} is withheld from mods`);
    };
  }
  if (kind === "void") {
    return (...args) => {
      const error = unreadable(name, args, reads);
      if (error !== undefined) throw error;
      return notify(name, args);
    };
  }
  const isEnded = ENDED_BY_SIGNAL[name] === true;
  return (...args) => {
    const error = unreadable(name, args, reads);
    if (error !== undefined) return PromiseReject(error);
    return isEnded ? callWithSignal(name, args, splitSignal(args)) : call(name, args);
  };
}

function nameIn(table) {
  for (let index = 0; index < table.length; index++) {
    const [namespace, members] = table[index];
    for (let at = 0; at < members.length; at++) {
      if (namespace === "plugin" && members[at][0] === "name") return members[at][2];
    }
  }
  return "";
}

/**
 * Builds `$` from `[[namespace, [[method, kind, value]]]]`; kind is `async`, `void`, `stream`, `value` or `withheld`. The value of a
 * call is the list of its arguments whose keys are read whatever they are.
 */
function buildDollar(table) {
  caller = nameIn(table);
  const dollar = {};
  for (let index = 0; index < table.length; index++) {
    const [namespace, members] = table[index];
    const noun = {};
    for (let at = 0; at < members.length; at++) {
      const [name, kind, value] = members[at];
      noun[name] = kind === "value" ? value : method(`${namespace}.${name}`, kind, value);
    }
    dollar[namespace] = ObjectFreeze(noun);
  }
  return ObjectFreeze(dollar);
}

export { buildDollar, call, notify, openCall, special };
