// What inner modules (`claude-code`, `claude-code/testing`) may ask of the host: the module `modgate:host`.
// A mod cannot import it; the loader knows who asks.

import { core, expectReply, faultError, forget, freezeDeep, HooksError, hostError, ops, primordials } from "ext:modgate/00_base.js";
import { currentFrame, inFrame } from "ext:modgate/25_frame.js";
import { incoming, outgoing } from "ext:modgate/30_chain.js";
import { call, special } from "ext:modgate/50_dollar.js";
import { register, setOpen } from "ext:modgate/20_registry.js";
import { remoteStream, failedStream } from "ext:modgate/40_streams.js";

const { FunctionPrototypeCall, PromiseReject, PromiseResolve, PromisePrototypeThen, ObjectFreeze, ObjectKeys, SafeWeakMap } = primordials;

/** Functions that Rust may call by number: UI handlers, methods of an added noun, bodies of tests. */
const kept = [];

function keep(fn) {
  return kept.push(fn) - 1;
}

/** Called by Rust. */
function callKept(call, index, args) {
  const done = (value) => ops.op_mg_returned(call, true, value);
  const failed = (error) => ops.op_mg_returned(call, false, error);
  let result;
  try {
    const fn = kept[index];
    result = fn(...args);
  } catch (error) {
    return failed(error);
  }
  PromisePrototypeThen(PromiseResolve(result), done, failed);
}

/** Asks the host and gets the answer at once. */
function ask(name, args) {
  const [isOk, value] = ops.op_mg_host(name, 0, args);
  if (!isOk) throw faultError(value);
  return value;
}

/** Asks the host: a promise of the answer. */
function askLater(name, args) {
  const { id, promise } = expectReply(false);
  const [isOk, value] = ops.op_mg_host(name, id, args);
  if (isOk) return promise;
  forget(id);
  return PromiseReject(faultError(value));
}

function askStream(name, args) {
  const { id } = expectReply(false);
  forget(id);
  const [isOk, value] = ops.op_mg_host(name, id, args);
  return isOk ? remoteStream(id, false) : failedStream(faultError(value));
}

/** What stands for a noun outside of this isolate, by the noun as its hooks see it. */
const stands = new SafeWeakMap();

// At `engine.create` `next` gives nouns to build on: those of the host are this mod's own, others are called by name.
incoming["engine.create"] = (nouns) => {
  const live = {};
  const names = ObjectKeys(nouns);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const own = nouns[name].$noun === undefined ? callable(name, nouns[name]) : dollar[name];
    if (own !== undefined) stands.set(own, nouns[name]);
    live[name] = own ?? nouns[name];
  }
  return live;
};

function callable(noun, methods) {
  const calls = {};
  const names = ObjectKeys(methods);
  for (let index = 0; index < names.length; index++) {
    const name = `${noun}.${names[index]}`;
    calls[names[index]] = (...args) => call(name, args);
  }
  return ObjectFreeze(calls);
}

// `engine.create` answers with methods: they stay here, and a marker goes in their place.
outgoing["engine.create"] = (answer, invocation) => {
  if (typeof answer !== "object" || answer === null) return answer;
  const nouns = {};
  const names = ObjectKeys(answer);
  for (let index = 0; index < names.length; index++) {
    nouns[names[index]] = withMarkers(answer[names[index]], invocation.dollar.plugin.name);
  }
  return nouns;
};

/** A method as others call it: what it is given is not its own. */
function called(noun, method) {
  return (input) => FunctionPrototypeCall(method, noun, freezeDeep(input));
}

function withMarkers(noun, plugin) {
  if (typeof noun !== "object" || noun === null) return null;
  if (stands.has(noun)) return stands.get(noun);
  const methods = {};
  const names = ObjectKeys(noun);
  for (let index = 0; index < names.length; index++) {
    const method = noun[names[index]];
    // What is no function is told as nothing, and so refused: it need not be plain data.
    methods[names[index]] = typeof method === "function" ? { $method: keep(called(noun, method)), $plugin: plugin } : null;
  }
  return methods;
}

let dollar;

/** Called at start, once `$` is built. */
function setDollar(built) {
  dollar = built;
}

const host = core.loadExtScript("ext:modgate/host_exports.js");
host.call = call;
host.currentDollar = () => dollar;
host.keep = keep;
host.ask = ask;
host.askLater = askLater;
host.askStream = askStream;
host.special = special;
host.currentFrame = currentFrame;
host.inFrame = inFrame;
host.HooksError = HooksError;
host.hostError = hostError;
host.register = register;
host.setOpen = setOpen;
ObjectFreeze(host);

export { callKept, keep, setDollar };
