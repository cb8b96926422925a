/** The error of an expectation that did not hold. */

const written = new WeakMap();

/**
 * What the failed expectation compared, for the runner.
 *
 * @param {unknown} error
 * @returns {{note?: string, call: string, expected?: string, received: string, diff?: string} | undefined} Undefined for
 *   any other error.
 */
export function comparison(error) {
  return written.get(error);
}

/** Scripts read the fields; a person reads the message. */
export class AssertionError extends Error {
  /**
   * @param {object} failure
   * @param {string | undefined} failure.note What the test said about it; comes first.
   * @param {string} failure.call The expectation as it was written, as in `expect(…).not.toBe(…)`.
   * @param {string} failure.matcher
   * @param {string | undefined} failure.wanted What was expected, in words. Undefined where the call says it all.
   * @param {string} failure.got What there was instead, in words.
   * @param {string | undefined} failure.diff
   * @param {unknown} failure.expected
   * @param {unknown} failure.received
   */
  constructor(failure) {
    super(messageOf(failure));
    // A plain field: `name` of the prototype is frozen with the other intrinsics.
    Object.defineProperty(this, "name", { value: "AssertionError", enumerable: true, configurable: true, writable: true });
    this.matcher = failure.matcher;
    this.expected = failure.expected;
    this.received = failure.received;
    this.expectedText = failure.wanted;
    this.receivedText = failure.got;
    this.diff = failure.diff;
    const { note, call, wanted: expected, got: received, diff } = failure;
    written.set(this, { note, call, expected, received, diff });
  }
}

function messageOf({ note, call, wanted, got, diff }) {
  const parts = note === undefined ? [call] : [note, call];
  if (diff !== undefined) parts.push(`- expected\n+ received\n\n${diff}`);
  else parts.push([...(wanted === undefined ? [] : [`expected: ${wanted}`]), `received: ${got}`].join("\n"));
  return parts.join("\n\n");
}

