/**
 * What the kit asks of the host, in one place: everything else in this folder is plain JavaScript.
 *
 * | asked | with | answer |
 * |---|---|---|
 * | `declare` | `{title, timeoutMs, plugins: [{name, tier, source}], options, body}` (`body`: number of a kept function) | none |
 * | `tier` | the tier | none |
 * | `raise` | event, input | later: the event's answer |
 * | `raiseStream` | event, input | a stream with `result` |
 * | `mount` | `{plugin, surface, component, props, requestId, viewport?}` | later: the drawing's id |
 * | `act` | id (undefined: whichever drawing holds the element), verb, fields | later: plain data |
 * | `cwd` | nothing | the working directory of the session |
 * | `settle` | nothing | later, when no isolate has anything left to run |
 * | `fault` | kind, `{name, message, stack, comparison?}`, event | none; the running test has failed |
 * | `compared` | message, `{note?, call, expected?, received, diff?}` | none; goes with the error of that message, which the body is about to throw |
 */

import { comparison } from "./assertion.js";
import { ask, askLater, askStream, HooksError, hostError, keep, register, setOpen } from "modgate:host";

export { hostError, HooksError };

/** Tells the runner of a test. */
export function declare(found) {
  ask("declare", [{ ...found, body: keep(found.body) }]);
}

export function setTier(tier) {
  ask("tier", [tier]);
}

/** The hooks of the test that runs, in the order in which it wrote them down; undefined once they are in place. */
let planned = [];
/** Why they are not. */
let refused;

/** The test that runs. One that has timed out may go on in its own time; it must not reach into those that follow. */
let running = { isOver: true };

/**
 * A test begins: it may write hooks down until it first uses its `$`.
 *
 * @returns {{isOver: boolean}} The test, for what it is given to work with.
 */
export function openTest() {
  running.isOver = true;
  running = { isOver: false };
  planned = [];
  refused = undefined;
  return running;
}

/** The function for as long as the test runs; later its promise rejects. */
export function during(test, fn) {
  return (first, ...rest) =>
    test.isOver ? Promise.reject(new HooksError("the test that this belongs to is over")) : fn(first, ...rest);
}

/**
 * Writes a hook down. Whether it can stand shows when the mods load: that is when a mod's own hooks are looked at.
 *
 * @throws {TypeError} after the first use of `$`: by then the plugins above the hook are loaded.
 */
export function planHook(test, event, rest) {
  if (test.isOver) throw new TypeError("the test that this on() belongs to is over");
  if (planned === undefined) throw new TypeError("on() comes before the first use of $: by then the mods are loaded");
  const hook = { site: new Error("on"), event, rest, handler: undefined, hasHandler: false };
  planned.push(hook);
  return Object.freeze({
    catch(handler) {
      hook.handler = handler;
      hook.hasHandler = true;
    },
  });
}

const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {}).constructor;
const STREAMING = ["turn.step", "process.spawn"];

function put({ site, event, rest, handler, hasHandler }) {
  const hook = rest.at(-1);
  const streams = STREAMING.includes(event);
  if (typeof hook === "function" && streams !== hook instanceof AsyncGeneratorFunction) {
    throw new TypeError(streams ? `on('${event}') takes an async generator` : `on('${event}') takes no generator`);
  }
  const registration = register(site, event, ...rest);
  if (hasHandler) registration.catch(handler);
}

/** Puts the hooks in place; gives why they cannot stand. */
function place() {
  if (planned === undefined) return refused;
  const hooks = planned;
  planned = undefined;
  setOpen(true);
  try {
    hooks.forEach(put);
  } catch (error) {
    refused = new HooksError(`test: hooks module did not load: ${error.message}`);
  } finally {
    setOpen(false);
  }
  return refused;
}

function later(name, args) {
  const refusal = place();
  return refusal === undefined ? askLater(name, args) : Promise.reject(refusal);
}

/** The input is read once the test's own work has paused: what it still writes into it at once is part of it. */
export async function raise(event, input) {
  const refusal = place();
  await undefined;
  if (refusal !== undefined) throw refusal;
  return askLater("raise", [event, input]);
}

export function raiseStream(event, input) {
  const refusal = place();
  return refusal === undefined ? askStream("raiseStream", [event, input]) : failedStream(refusal);
}

async function* failedStream(error) {
  throw error;
}

/** The working directory of the session that the tests play. */
export const workingDirectory = () => ask("cwd", []);

export const mount = (target) => later("mount", [target]);

export const act = (id, verb, fields) => later("act", [id, verb, fields]);

export function settleLoop() {
  return askLater("settle", []);
}

/** Fails the running test for something that the chain would only skip. */
export function fault(kind, error, event) {
  ask("fault", [kind, { name: error.name, message: error.message, stack: error.stack, comparison: comparison(error) }, event]);
}

/** Tells what the expectation compared because of which the body is about to throw. */
export function compared(error) {
  const parts = comparison(error);
  if (parts !== undefined) ask("compared", [error.message, parts]);
}
