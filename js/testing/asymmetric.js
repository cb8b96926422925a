/** The six matchers that stand in the place of an expected value. */

import { equals } from "./equality.js";
import { format } from "./format.js";
import { asymmetric } from "./marks.js";

/** Nothing is no class to be of; what else is none shows when something is held against it. */
function needClass(expected) {
  if (expected === undefined || expected === null) throw new TypeError("expect.any(Class): Class is a class, as in expect.any(Number)");
}

export const asymmetricMatchers = {
  /** Anything of that class; text, numbers and the like count as their wrapper's. */
  any(expected) {
    needClass(expected);
    const test = (value) => value !== undefined && value !== null && Object(value) instanceof expected;
    return asymmetric(`any ${expected.name || "(unnamed class)"}`, test);
  },
  /** Anything but null and undefined. */
  anything: () => asymmetric("anything", (value) => value !== undefined && value !== null),
  stringContaining: (part) =>
    asymmetric(`text containing ${format(part)}`, (value) => typeof value === "string" && value.includes(part)),
  /** Text of a pattern; a pattern given as text is compiled. */
  stringMatching(pattern) {
    return asymmetric(`text matching ${format(pattern)}`, (value) => typeof value === "string" && new RegExp(pattern).test(value));
  },
  objectContaining(fields) {
    const test = (value) => typeof value === "object" && value !== null && typeof fields === "object" && equals(value, fields, "subset");
    return asymmetric(`an object containing ${format(fields)}`, test);
  },
  /** A list with an equal of each of these, in any order; one of the list may stand for several of them. */
  arrayContaining(items) {
    const test = (value) => Array.isArray(value) && items.every((item) => value.some((other) => equals(other, item)));
    return asymmetric(`a list containing ${format(items)}`, test);
  },
};
