/**
 * The module `claude-code`: state that outlives a dispatch, as plain frozen descriptions ("atoms") and the two calls
 * that use them. Everything here goes through the `$.state` of the hook that calls; nothing is kept in this module but
 * the last value of each derivation.
 *
 * @module claude-code
 */

/**
 * Where a value lives.
 * @typedef {{plugin: string, key: string, id?: string}} StateRef
 */

/**
 * A value with an address and what it reads as before anything was written.
 * @template T
 * @typedef {{readonly ref: StateRef, readonly initial: T, readonly shape?: string}} Atom
 */

/** How often `update` writes again after another write came in between. The peer gives up after as many. */
const MOST_TRIES = 64;

/**
 * What was computed last, per derivation. It also marks which objects `derive` made.
 * @type {WeakMap<object, {versions: number[], value: unknown} | null>}
 */
const derivations = new WeakMap();

/** Freezes plain data as deep as it goes. The check on frozen values also ends cycles. */
function deepFreeze(value) {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Object.keys(value)) deepFreeze(value[key]);
  return value;
}

/**
 * Describes a value of the state. Pure: nothing is read or written.
 *
 * @template T
 * @param {StateRef} ref The address; a family's has no `id` (see `memberOf`).
 * @param {T} initial What the value reads as until it was written. It is frozen, as deep as it goes: a change that
 *   writes into what it was given must not reach later readers.
 * @param {{shape?: string}} [options] `shape` tags what is stored; a value under another tag reads as never written.
 * @returns {Atom<T>}
 */
export function atom(ref, initial, options) {
  if (typeof ref !== "object" || ref === null || typeof ref.plugin !== "string" || typeof ref.key !== "string") {
    throw new TypeError("atom(ref, initial): ref is { plugin, key }, both text");
  }
  const made = { ref: Object.freeze({ ...ref }), initial: deepFreeze(initial) };
  if (options?.shape !== undefined) made.shape = options.shape;
  return Object.freeze(made);
}

/**
 * The atom of one member of a family, told apart by the request of the event at hand.
 *
 * @template T
 * @param {Atom<T>} family
 * @param {{requestId?: string}} e The event's argument. Without a `requestId` the family's own atom is meant.
 * @returns {Atom<T>}
 */
export function memberOf(family, e) {
  if (!isAtom(family)) throw new TypeError("memberOf(family, e): family is what atom() made");
  const { requestId } = e;
  const ref = requestId === undefined ? { ...family.ref } : { ...family.ref, id: requestId };
  return Object.freeze({ ...family, ref: Object.freeze(ref) });
}

/**
 * A value computed from others, when it is read, and only again after one of them was written.
 *
 * @template R
 * @param {(Atom<any> | object)[]} sources Atoms, members of families, or other derivations.
 * @param {(...values: any[]) => R} compute Gets the values of the sources, in their order.
 * @returns {{readonly sources: readonly object[], readonly compute: Function}}
 */
export function derive(sources, compute) {
  if (!Array.isArray(sources)) throw new TypeError("derive(sources, compute): sources is a list of atoms");
  for (const source of sources) {
    if (!isAtom(source) && !derivations.has(source)) {
      throw new TypeError("derive(sources, compute): each source is what atom(), memberOf() or derive() made");
    }
  }
  if (typeof compute !== "function") throw new TypeError("derive(sources, compute): compute is a function");
  const made = Object.freeze({ sources: Object.freeze([...sources]), compute });
  derivations.set(made, null);
  return made;
}

/**
 * The value of an atom or a derivation as it stands.
 *
 * @template T
 * @param {{state: {get: Function}}} $ The `$` of the hook.
 * @param {Atom<T> | object} source
 * @returns {Promise<T>}
 */
export async function read($, source) {
  return (await readWithVersions($, source)).value;
}

/**
 * Reads, applies the change and writes, and does so again when another write came in between.
 *
 * @template T
 * @param {{state: {get: Function, set: Function}}} $ The `$` of the hook.
 * @param {Atom<T>} target
 * @param {(value: T) => T} change Makes the next value out of the one it is given, at once (not by a promise).
 * @returns {Promise<T>} What the change made; a hook above may have stored something else.
 */
export async function update($, target, change) {
  if (!isAtom(target)) throw new TypeError("update($, atom, change): what is derived cannot be written");
  if (typeof change !== "function") throw new TypeError("update($, atom, change): change is a function");
  const { ref, shape } = target;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const stored = await $.state.get(ref);
    const value = change(valueOf(target, stored.value));
    const kept = shape === undefined ? value : { shape, value };
    const landed = await $.state.set(ref, kept, { ifVersion: stored.version });
    if (landed.isSet) return value;
  }
  throw new Error(`update: ${ref.plugin}'s ${ref.key} was written by others ${MOST_TRIES} times in a row; nothing is stored`);
}

function isAtom(value) {
  return typeof value === "object" && value !== null && typeof value.ref === "object" && value.ref !== null;
}

/** What a stored value means to this atom: what is not there, or under another tag, reads as the initial value. */
function valueOf({ initial, shape }, stored) {
  if (shape === undefined) return stored === undefined ? initial : stored;
  const isOurs = typeof stored === "object" && stored !== null && stored.shape === shape && stored.value !== undefined;
  return isOurs ? stored.value : initial;
}

/** The value, and the versions of every atom it came from: equal versions mean nothing was written in between. */
async function readWithVersions($, source) {
  if (derivations.has(source)) return readDerived($, source);
  if (!isAtom(source)) throw new TypeError("read($, source): source is what atom(), memberOf() or derive() made");
  const stored = await $.state.get(source.ref);
  return { value: valueOf(source, stored.value), versions: [stored.version] };
}

async function readDerived($, derivation) {
  const values = [];
  const versions = [];
  for (const source of derivation.sources) {
    const part = await readWithVersions($, source);
    values.push(part.value);
    versions.push(...part.versions);
  }
  const last = derivations.get(derivation);
  if (last !== null && versions.every((version, index) => version === last.versions[index])) return last;
  const computed = { versions, value: derivation.compute(...values) };
  derivations.set(derivation, computed);
  return computed;
}
