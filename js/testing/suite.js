/** Finding the tests of a file: `test`, `describe` and `tier`, and what a test is given to run with. */

import { AssertionError } from "./assertion.js";
import { engineDollar } from "./engine_dollar.js";
import { format } from "./format.js";
import { compared, declare, fault, HooksError, openTest, planHook, setTier } from "./host.js";
import { isTier, pluginSources, TIER_LIST } from "./plugin_source.js";

const DEFAULT_TIMEOUT = 5000;

/** Titles of the groups around the place that is being read. */
const groups = [];
let isLoading = true;
let hasTier = false;

function whileLoading(name) {
  if (!isLoading) throw new TypeError(`${name} belongs outside the tests: it is called while the file loads`);
}

/**
 * `test(name, body)` or `test(name, options, body)`.
 *
 * @param {string} name
 * @param {...unknown} rest `options`: `timeoutMs` (milliseconds, 5000 without it), `plugins` that are loaded beside the
 *   one under test, `options` for the one under test. `body($, on)` passes when it returns or resolves.
 */
export function test(name, ...rest) {
  whileLoading("test");
  if (typeof name !== "string") throw new TypeError("test(name, …): name is text");
  const [options, body] = rest.length > 1 ? rest : [{}, rest[0]];
  if (typeof body !== "function") throw new TypeError("test(name, body) or test(name, options, body): body is a function ($, on)");
  if (typeof options !== "object" || options === null) throw new TypeError("test(name, options, body): options is an object");
  const { timeoutMs = DEFAULT_TIMEOUT, plugins = [], options: values = {} } = options;
  checkOptions(name, timeoutMs, plugins, values);
  const title = [...groups.filter((group) => group !== ""), name].join(" > ");
  declare({ title, timeoutMs, ...prepared(plugins, values, body) });
}

function checkOptions(name, timeoutMs, plugins, values) {
  const where = `test(${JSON.stringify(name)})`;
  if (typeof timeoutMs !== "number" || !(timeoutMs > 0)) throw new TypeError(`${where}: timeoutMs is a number of milliseconds above 0`);
  if (!Array.isArray(plugins)) throw new TypeError(`${where}: plugins is a list`);
  const isPlain = typeof values === "object" && values !== null && !Array.isArray(values) && !(values instanceof Map);
  if (!isPlain) throw new TypeError(`${where}: options is an object of values`);
}

const isOption = (value) =>
  ["string", "boolean", "undefined"].includes(typeof value) || Number.isFinite(value) ||
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** What no setting could hold. */
function checkValues(values) {
  for (const [name, value] of Object.entries(values)) {
    if (!isOption(value)) throw new HooksError(`test: options.${name} is text, a number, true or false, or a list of texts`);
  }
}

/** A plugin or an option that is none fails the test that lists it, not the file. */
function prepared(plugins, values, body) {
  try {
    checkValues(values);
    return { plugins: pluginSources(plugins), options: values, body: () => run(body) };
  } catch (error) {
    return { plugins: [], options: {}, body: async () => { isLoading = false; throw error; } };
  }
}

/** Runs one test. The runner has seated its plugins; they load at the first call on `$`. */
async function run(body) {
  isLoading = false;
  const test = openTest();
  try {
    await body(engineDollar(test), onOf(test));
  } catch (error) {
    compared(error);
    throw error instanceof Error ? error : shown(error);
  }
}

/** `on` as the body gets it. */
const onOf = (test) => ({ on: (event, ...rest) => on(test, event, ...rest) }).on;

/** What a body threw that is no error, as one that says what it was. */
function shown(thrown) {
  const error = new Error(format(thrown));
  Object.defineProperty(error, "name", { value: "Thrown", enumerable: true, configurable: true, writable: true });
  return error;
}

/**
 * The test's own `on`. An expectation that fails inside a hook fails the test, also when the chain only skips the hook.
 */
function on(test, event, ...rest) {
  if (typeof event !== "string" || rest.length === 0 || rest.length > 2) {
    throw new TypeError("on(event, hook) or on(event, matcher, hook)");
  }
  const hook = rest.at(-1);
  return planHook(test, event, typeof hook === "function" ? [...rest.slice(0, -1), watched(event, hook)] : rest);
}

const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {}).constructor;

/** The hook, reporting what it expected in vain. A hook that is a generator stays one: the chain tells them apart. */
function watched(event, hook) {
  const report = (error) => {
    if (error instanceof AssertionError) fault("expect", error, event);
  };
  if (hook instanceof AsyncGeneratorFunction) {
    return async function* (...args) {
      try {
        return yield* hook(...args);
      } catch (error) {
        report(error);
        throw error;
      }
    };
  }
  return async (...args) => {
    try {
      return await hook(...args);
    } catch (error) {
      report(error);
      throw error;
    }
  };
}

/**
 * Puts a name before those of the tests that `body` declares. The body runs at once; a promise it gives is not waited for.
 *
 * @param {string} name
 * @param {() => unknown} body
 */
export function describe(name, body) {
  whileLoading("describe");
  if (typeof name !== "string" || typeof body !== "function") throw new TypeError("describe(name, body): text, and a function");
  groups.push(name);
  try {
    body();
  } finally {
    groups.pop();
  }
}

/**
 * Says in which tier the plugin under test is seated, for the whole file.
 *
 * @param {"prepend" | "user" | "append" | "builtin"} name
 */
export function tier(name) {
  whileLoading("tier");
  if (!isTier(name)) throw new TypeError(`tier(${JSON.stringify(name)}): the tier is one of ${TIER_LIST}`);
  if (hasTier) throw new TypeError("tier(…) is called once, for the whole file");
  hasTier = true;
  setTier(name);
}
