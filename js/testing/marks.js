/** How the parts of the kit know an asymmetric matcher without depending on one another. */

const matchers = new WeakSet();

/** Whether `value` is one of the six that `expect` makes. */
export const isAsymmetric = (value) => typeof value === "object" && value !== null && matchers.has(value);

/**
 * @param {string} text How it reads in a message.
 * @param {(value: unknown) => boolean} test
 */
export function asymmetric(text, test) {
  const matcher = Object.freeze({ text, test });
  matchers.add(matcher);
  return matcher;
}
