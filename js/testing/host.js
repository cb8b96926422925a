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
 * | `settle` | nothing | later, when no isolate has anything left to run |
 * | `fault` | kind, `{name, message, stack, comparison?}`, event | none; the running test has failed |
 * | `compared` | message, `{note?, call, expected?, received, diff?}` | none; goes with the error of that message, which the body is about to throw |
 */

import { comparison } from "./assertion.js";
import { ask, askLater, askStream, HooksError, keep, on, setOpen } from "modgate:host";

export { HooksError };

/** Tells the runner of a test. */
export function declare(found) {
  ask("declare", [{ ...found, body: keep(found.body) }]);
}

export function setTier(tier) {
  ask("tier", [tier]);
}

/** Lets the test that begins register hooks, until it first uses its `$`. */
export function openHooks() {
  setOpen(true);
}

/** @throws {TypeError} after the first use of `$`: by then the plugins above the hook are loaded. */
export function registerHook(event, matcher, hook) {
  return matcher === undefined ? on(event, hook) : on(event, matcher, hook);
}

export function raise(event, input) {
  setOpen(false);
  return askLater("raise", [event, input]);
}

export function raiseStream(event, input) {
  setOpen(false);
  return askStream("raiseStream", [event, input]);
}

export function mount(target) {
  setOpen(false);
  return askLater("mount", [target]);
}

export function act(id, verb, fields) {
  setOpen(false);
  return askLater("act", [id, verb, fields]);
}

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
