/**
 * When two values count as equal. There are three ways:
 *
 * - `equal` (toEqual): fields that hold undefined and prototypes do not count.
 * - `strict` (toStrictEqual): both count.
 * - `subset` (toMatchObject, objectContaining): the expected object's fields must be there; further ones may be.
 *
 * In all of them lists compare by index, whatever else hangs on them; a hole in the expected list takes anything; Maps by key (the keys
 * themselves, not what they look like); Sets by size and content; everything else by its own enumerable text keys. An
 * error's message is no such key, so `toEqual` takes any two plain errors (or promises) for equal: the peer's kit does,
 * and tests written against it pass there. `toThrow` and `toMatchObject({ message })` are what tells errors apart.
 *
 * @typedef {"equal" | "strict" | "subset"} Way
 */

import { isAsymmetric } from "./marks.js";

/**
 * @param {unknown} received
 * @param {unknown} expected May hold asymmetric matchers at any depth; only this side may.
 * @param {Way} way
 * @returns {boolean}
 */
export function equals(received, expected, way = "equal") {
  return compare(received, expected, way, []);
}

const isObject = (value) => typeof value === "object" && value !== null;

/** Kinds that are never equal to one another. */
function kindOf(value) {
  if (Array.isArray(value)) return "list";
  if (value instanceof Date) return "date";
  if (value instanceof RegExp) return "pattern";
  if (value instanceof Map) return "map";
  if (value instanceof Set) return "set";
  return "object";
}

function compare(received, expected, way, open) {
  if (isAsymmetric(expected)) return expected.test(received);
  if (Object.is(received, expected)) return true;
  if (!isObject(received) || !isObject(expected)) return false;
  const kind = kindOf(expected);
  if (kindOf(received) !== kind) return false;
  if (way === "strict" && Object.getPrototypeOf(received) !== Object.getPrototypeOf(expected)) return false;
  // A pair that is being compared already is equal as far as this place goes: both run in the same circle.
  if (open.some(([left, right]) => left === received && right === expected)) return true;
  open.push([received, expected]);
  try {
    return COMPARE[kind](received, expected, way, open);
  } finally {
    open.pop();
  }
}

const COMPARE = {
  __proto__: null,
  list: (received, expected, way, open) =>
    received.length === expected.length && expected.every((item, index) => compare(received[index], item, way, open)),
  date: (received, expected) => Object.is(received.getTime(), expected.getTime()),
  pattern: (received, expected) => received.source === expected.source && received.flags === expected.flags,
  map: (received, expected, way, open) =>
    received.size === expected.size &&
    [...expected].every(([key, value]) => received.has(key) && compare(received.get(key), value, way, open)),
  set: (received, expected, way, open) =>
    received.size === expected.size &&
    [...expected].every((item) => received.has(item) || [...received].some((other) => compare(other, item, way, open))),
  object: (received, expected, way, open) => fields(received, expected, way, open),
};

function fields(received, expected, way, open) {
  if (way === "subset") {
    return Object.keys(expected).every((key) => key in received && compare(received[key], expected[key], way, open));
  }
  const own = new Set(keysOf(received, way));
  const wanted = new Set(keysOf(expected, way));
  if (way === "strict" && own.size !== wanted.size) return false;
  const isSame = (key) => own.has(key)
    ? compare(received[key], expected[key], way, open)
    : way !== "strict" && compare(undefined, expected[key], way, open);
  return [...wanted].every(isSame) && [...own].every((key) => wanted.has(key));
}

function keysOf(object, way) {
  const keys = Object.keys(object);
  return way === "strict" ? keys : keys.filter((key) => object[key] !== undefined);
}
