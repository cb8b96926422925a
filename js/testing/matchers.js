/**
 * The matchers of `expect`. Each gets what was received and its arguments, and says whether it holds, what it wanted
 * (in words) and what it got.
 *
 * A matcher that is asked something that makes no sense of the received value (text of a number, say) does not hold;
 * it does not throw, so that its `.not` holds.
 *
 * @typedef {{holds: boolean, wanted?: string, got?: string, diff?: [unknown, unknown]}} Verdict
 */

import { equals } from "./equality.js";
import { errorText, format } from "./format.js";

/** @type {Record<string, (received: any, args: any[]) => Verdict>} */
export const MATCHERS = {
  __proto__: null,
  toBe: (received, [expected]) => ({ holds: Object.is(received, expected), wanted: format(expected), diff: [expected, received] }),
  toEqual: (received, [expected]) => comparison(received, expected, "equal"),
  toStrictEqual: (received, [expected]) => comparison(received, expected, "strict"),
  toMatchObject: (received, [expected]) => matchObject(received, expected),
  toContain: (received, [item]) => ({ holds: contains(received, item), wanted: `containing ${format(item)}` }),
  toContainEqual: (received, [item]) => ({
    holds: isIterable(received) && [...received].some((part) => equals(part, item)),
    wanted: `containing an equal of ${format(item)}`,
  }),
  toHaveLength: (received, [length]) => {
    const holds = received !== undefined && received !== null && received.length === length;
    return { holds, wanted: `length ${format(length)}`, got: lengthText(received) };
  },
  toHaveProperty: (received, args) => property(received, args),
  toBeUndefined: (received) => ({ holds: received === undefined, wanted: "undefined" }),
  toBeDefined: (received) => ({ holds: received !== undefined, wanted: "anything but undefined" }),
  toBeNull: (received) => ({ holds: received === null, wanted: "null" }),
  toBeTruthy: (received) => ({ holds: Boolean(received), wanted: "a truthy value" }),
  toBeFalsy: (received) => ({ holds: !received, wanted: "a falsy value" }),
  toBeNaN: (received) => ({ holds: Number.isNaN(received), wanted: "NaN" }),
  toBeGreaterThan: (received, [limit]) => order(received, limit, ">", (left, right) => left > right),
  toBeGreaterThanOrEqual: (received, [limit]) => order(received, limit, ">=", (left, right) => left >= right),
  toBeLessThan: (received, [limit]) => order(received, limit, "<", (left, right) => left < right),
  toBeLessThanOrEqual: (received, [limit]) => order(received, limit, "<=", (left, right) => left <= right),
  toMatch: (received, [pattern]) => ({ holds: typeof received === "string" && matches(received, pattern), wanted: `matching ${format(pattern)}` }),
  toStartWith: (received, [part]) => ({ holds: areTexts(received, part) && received.startsWith(part), wanted: `starting with ${format(part)}` }),
  toEndWith: (received, [part]) => ({ holds: areTexts(received, part) && received.endsWith(part), wanted: `ending with ${format(part)}` }),
  toBeInstanceOf: (received, [expected]) => ({
    holds: typeof expected === "function" && received instanceof expected,
    wanted: `an instance of ${typeof expected === "function" ? expected.name || "an unnamed class" : format(expected)}`,
  }),
};

const areTexts = (left, right) => typeof left === "string" && typeof right === "string";

const isIterable = (value) => value !== undefined && value !== null && typeof value[Symbol.iterator] === "function";

function comparison(received, expected, way) {
  return { holds: equals(received, expected, way), wanted: format(expected), diff: [expected, received] };
}

function matchObject(received, expected) {
  const areObjects = [received, expected].every((value) => typeof value === "object" && value !== null);
  return { holds: areObjects && equals(received, expected, "subset"), wanted: `an object with ${format(expected)}`, diff: [expected, received] };
}

function contains(received, item) {
  if (typeof received === "string") return typeof item === "string" && received.includes(item);
  return isIterable(received) && [...received].includes(item);
}

function lengthText(received) {
  const hasLength = received !== undefined && received !== null && received.length !== undefined;
  return hasLength ? `length ${format(received.length)}: ${format(received)}` : `no length: ${format(received)}`;
}

/** Whether text is of a pattern, or holds a text. The pattern itself is asked: a global one goes on from where it was. */
function matches(text, pattern) {
  return pattern instanceof RegExp ? pattern.test(text) : text.includes(String(pattern));
}

/** Numbers and big integers compare by their value; anything else as the number it converts to. */
function order(received, limit, sign, holds) {
  const asNumber = (value) => (typeof value === "bigint" ? value : Number(value));
  return { holds: holds(asNumber(received), asNumber(limit)), wanted: `${sign} ${format(limit)}` };
}

function property(received, args) {
  const [path, expected] = args;
  const keys = Array.isArray(path) ? path.map(String) : String(path).split(".");
  const found = lookUp(received, keys);
  const isValueAsked = args.length > 1;
  const where = `a property ${format(path)}`;
  return {
    holds: found.isThere && (!isValueAsked || equals(found.value, expected)),
    wanted: isValueAsked ? `${where} that is ${format(expected)}` : where,
    got: found.isThere && isValueAsked ? `${format(found.value)} in ${format(received)}` : format(received),
  };
}

/** Follows the keys; inherited properties count. */
function lookUp(value, keys) {
  let current = value;
  for (const key of keys) {
    if (current === undefined || current === null || !(key in Object(current))) return { isThere: false, value: undefined };
    current = current[key];
  }
  return { isThere: true, value: current };
}

/**
 * `toThrow`, about what was thrown (or what a promise was rejected with).
 *
 * @param {{didThrow: boolean, error?: any}} outcome
 * @param {any[]} args
 * @returns {Verdict}
 */
export function throwing({ didThrow, error }, [expected]) {
  return {
    holds: didThrow && (expected === undefined || isThrown(error, expected)),
    wanted: thrownText(expected),
    got: didThrow ? `thrown ${error instanceof Error ? errorText(error) : format(error)}` : "nothing thrown",
  };
}

function isThrown(error, expected) {
  if (typeof expected === "string" || expected instanceof RegExp) return matches(saying(error), expected);
  if (typeof expected === "function") return error instanceof expected;
  const hasMessage = typeof expected === "object" && expected !== null && typeof expected.message === "string";
  return hasMessage && saying(error) === expected.message;
}

/** What a thrown value says. One that is no error may have a message as well; other objects say nothing. */
function saying(error) {
  if (typeof error === "object" && error !== null) return String(error.message ?? "");
  return String(error);
}

function thrownText(expected) {
  if (expected === undefined) return "a throw";
  if (typeof expected === "string") return `a throw saying ${format(expected)}`;
  if (expected instanceof RegExp) return `a throw matching ${expected}`;
  if (typeof expected === "function") return `a throw of ${expected.name || "an unnamed class"}`;
  return `a throw like ${format(expected)}`;
}
