/** `expect(received, note?)`: the matchers, and the same of promises. */

import { AssertionError } from "./assertion.js";
import { asymmetricMatchers } from "./asymmetric.js";
import { lineDiff } from "./diff.js";
import { errorText, format } from "./format.js";
import { MATCHERS, throwing } from "./matchers.js";

const NAMES = [...Object.keys(MATCHERS), "toThrow"];

/** One expectation under way: what it is about, and how it was written down. */
class Expectation {
  constructor(received, note, words = []) {
    this.received = received;
    this.note = note === undefined ? undefined : String(note);
    this.words = words;
    this.isNot = words.includes("not");
  }

  with(word) {
    return new Expectation(this.received, this.note, [...this.words, word]);
  }

  call(matcher) {
    return ["expect(…)", ...this.words, `${matcher}(…)`].join(".");
  }

  fail(matcher, { wanted, got, diff, expected, received }) {
    throw new AssertionError({ note: this.note, call: this.call(matcher), matcher, wanted, got, diff, expected, received });
  }

  /** Judges a value that is there. `outcome` is what a function did, where a promise's rejection stands for a throw. */
  judge(matcher, received, args, outcome) {
    const verdict = matcher === "toThrow" ? throwing(outcome ?? this.run(received), args) : MATCHERS[matcher](received, args);
    if (verdict.holds !== this.isNot) return;
    const got = verdict.got ?? format(received);
    const wanted = this.isNot ? `not ${verdict.wanted}` : verdict.wanted;
    const diff = verdict.diff && !this.isNot ? diffOf(verdict.diff) : undefined;
    const seen = got === wanted ? `${got} (it reads the same and is not)` : got;
    this.fail(matcher, { wanted, got: seen, diff, expected: args[0], received });
  }

  /** What a function does when it is called. A promise it gives is not waited for: that is what `.rejects` is for. */
  run(received) {
    if (typeof received !== "function") {
      this.fail("toThrow", { wanted: "a function to call", got: format(received), received });
    }
    try {
      received();
      return { didThrow: false };
    } catch (error) {
      return { didThrow: true, error };
    }
  }

  async resolved(matcher, args) {
    let value;
    try {
      value = await this.received;
    } catch (error) {
      const got = `rejected with ${error instanceof Error ? errorText(error) : format(error)}`;
      this.fail(matcher, { wanted: "a promise that resolves", got, received: error });
    }
    this.judge(matcher, value, args);
  }

  async rejected(matcher, args) {
    let value;
    let error;
    let isRejected = false;
    try {
      value = await this.received;
    } catch (reason) {
      isRejected = true;
      error = reason;
    }
    if (!isRejected) this.fail(matcher, { wanted: "a promise that rejects", got: `resolved with ${format(value)}`, received: value });
    this.judge(matcher, error, args, { didThrow: true, error });
  }
}

/** Texts are compared by their own lines, other values by the lines in which they are written. */
function diffOf(sides) {
  const texts = sides.every((side) => typeof side === "string") ? sides : sides.map(format);
  return lineDiff(...texts);
}

/** An object with a method per matcher. */
function matchersOf(run) {
  return Object.fromEntries(NAMES.map((name) => [name, (...args) => run(name, args)]));
}

function bothWays(expectation, run) {
  return { ...matchersOf(run(expectation)), not: matchersOf(run(expectation.with("not"))) };
}

/**
 * @param {unknown} received
 * @param {unknown} [note] Said first when the expectation fails.
 */
export const expect = (received, note) => {
  const plain = new Expectation(received, note);
  const now = (one) => (matcher, args) => one.judge(matcher, one.received, args);
  return {
    ...bothWays(plain, now),
    resolves: bothWays(plain.with("resolves"), (one) => (matcher, args) => one.resolved(matcher, args)),
    rejects: bothWays(plain.with("rejects"), (one) => (matcher, args) => one.rejected(matcher, args)),
  };
};

Object.assign(expect, asymmetricMatchers);
