/** `mock.store` and `mock.env`: answers from what the test gave. */

/**
 * @param {Function} on The test's.
 * @param {Record<string, unknown>} [entries] What is in the store at the start, in this order.
 */
export function mockStore(on, entries = {}) {
  if (typeof entries !== "object" || entries === null) throw new TypeError("mock.store(on, entries): entries is an object of values");
  const kept = new Map(Object.entries(entries));
  on("store.get", ($, e) => ({ value: kept.get(e.key) }));
  on("store.set", ($, e) => {
    kept.set(e.key, e.value);
    return { value: undefined };
  });
  on("store.delete", ($, e) => {
    kept.delete(e.key);
    return { value: undefined };
  });
  on("store.keys", () => ({ value: [...kept.keys()] }));
}

/**
 * Answers reading only: a test that lets a mod write the environment says so with a hook of its own.
 *
 * @param {Function} on The test's.
 * @param {Record<string, string>} variables All there are. What is not text counts as not set.
 */
export function mockEnv(on, variables) {
  if (typeof variables !== "object" || variables === null) throw new TypeError("mock.env(on, variables): variables is an object of texts");
  const given = new Map(Object.entries(variables).filter(([, value]) => typeof value === "string"));
  on("env.get", ($, e) => ({ value: given.get(e.name) }));
}
