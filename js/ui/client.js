/**
 * A surface module (`Client`) at work: one instance of its component, with its state, listeners and timers.
 *
 * The host calls a member for each thing the instance hears, and `frame` when all of it is heard; only `frame` draws.
 * Whatever throws out of a member is the instance's fault: the host reports it and unmounts the instance.
 */

import { serialize } from "./serialize.js";

/** Timers run once a frame at most. */
const SHORTEST_PERIOD = 16;
/** With so many renders in a row that set state the instance counts as one that never comes to rest. */
const MOST_RENDERS = 4;
const POST = { values: 20_000, depth: 32, characters: 100_000 };

/**
 * The component of a surface module: its default export, or its only capitalized one.
 *
 * @param {object} namespace
 * @returns {(props: object, surface: object) => unknown}
 * @throws {TypeError}
 */
export function componentOf(namespace) {
  const capitalized = Object.keys(namespace).filter((name) => /^[A-Z]/.test(name));
  const name = "default" in namespace ? "default" : capitalized[0];
  if (name === undefined || (name !== "default" && capitalized.length > 1)) {
    throw new TypeError("a surface module has a default export, or a single capitalized one, as its component");
  }
  if (typeof namespace[name] !== "function") throw new TypeError(`the export ${name} of a surface module is a function (props, surface)`);
  return namespace[name];
}

/** Freezes plain data that the instance is given: it is shared with whoever gave it. */
function freezeDeep(value) {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const name of Object.keys(value)) freezeDeep(value[name]);
  return value;
}

function needFunction(name, listener) {
  if (typeof listener !== "function") throw new TypeError(`${name} takes a function`);
}

/** How many values plain data holds, and how deep they lie. */
function measure(value, depth = 1) {
  if (typeof value !== "object" || value === null) return { values: 1, depth };
  return Object.values(value).map((part) => measure(part, depth + 1)).reduce(
    (sum, part) => ({ values: sum.values + part.values, depth: Math.max(sum.depth, part.depth) }),
    { values: 1, depth },
  );
}

/** What may be posted, as its text. */
function postText(data) {
  if (data === undefined || typeof data === "function" || typeof data === "symbol") {
    throw new TypeError(`post takes plain data, not ${typeof data}`);
  }
  try {
    return JSON.stringify(data);
  } catch (cause) {
    throw new TypeError(`post takes plain data: ${cause.message}`);
  }
}

export class ClientInstance {
  #component;
  #surface;
  #props;
  #facts;
  #state = undefined;
  #listeners = { key: undefined, pointer: undefined };
  #timers = new Set();
  #time = 0;
  #isStale = true;
  #hasSetState = false;
  #busyRenders = 0;
  #post = undefined;
  #rejected = undefined;
  #handlers = new Map();

  /**
   * @param {Function} component See `componentOf`.
   * @param {object} given
   * @param {object} given.elements The table of constructors its drawings may use.
   * @param {unknown} given.props
   * @param {number} given.columns 0 while unmeasured.
   * @param {number} given.rows
   */
  constructor(component, { elements, props, columns = 0, rows = 0 }) {
    this.#component = component;
    this.#props = freezeDeep(props);
    this.#facts = { beneath: freezeDeep([]), columns, rows, isWindowFocused: true, isMotionReduced: false };
    this.#surface = this.#makeSurface(elements);
  }

  /** The object a component keeps: the same one for as long as the instance lives, reading what holds now. */
  #makeSurface(elements) {
    const fact = (name) => ({ enumerable: true, get: () => this.#facts[name] });
    const member = (value) => ({ enumerable: true, value });
    return Object.freeze(Object.defineProperties({}, {
      elements: member(elements),
      state: { enumerable: true, get: () => this.#state },
      beneath: fact("beneath"),
      columns: fact("columns"),
      rows: fact("rows"),
      isWindowFocused: fact("isWindowFocused"),
      isMotionReduced: fact("isMotionReduced"),
      setState: member((next) => {
        this.#state = next;
        this.#isStale = true;
        this.#hasSetState = true;
      }),
      every: member((ms, run) => this.#every(ms, run)),
      onPointer: member((listener) => this.#listen("pointer", "onPointer", listener)),
      onKey: member((listener) => this.#listen("key", "onKey", listener)),
      post: member((data) => {
        this.#post = postText(data);
      }),
    }));
  }

  /** One listener of a kind: a later one takes the place, and an earlier one's `clear` no longer does anything. */
  #listen(kind, name, listener) {
    needFunction(name, listener);
    this.#listeners[kind] = listener;
    return () => {
      if (this.#listeners[kind] === listener) this.#listeners[kind] = undefined;
    };
  }

  #every(ms, run) {
    needFunction("every", run);
    const period = Number.isFinite(ms) ? Math.max(SHORTEST_PERIOD, ms) : SHORTEST_PERIOD;
    const timer = { period, run, due: this.#time + period };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Something from outside: an instance that sets state for it is at work, not restless. */
  #hear() {
    this.#busyRenders = 0;
  }

  /** Nobody waits for what a listener gives; a promise that is rejected is the instance's fault all the same. */
  #watch(result) {
    if (typeof result?.then !== "function") return;
    Promise.resolve(result).catch((reason) => {
      this.#rejected ??= { reason };
    });
  }

  key(event) {
    this.#hear();
    this.#watch(this.#listeners.key?.(freezeDeep(event)));
  }

  pointer(event) {
    this.#hear();
    this.#watch(this.#listeners.pointer?.(freezeDeep(event)));
  }

  /** Moves the frame clock: every period that ends in that time runs, the earliest first, then the oldest. */
  advance(ms) {
    this.#hear();
    const until = this.#time + ms;
    for (let timer = this.#nextTimer(until); timer !== undefined; timer = this.#nextTimer(until)) {
      this.#time = timer.due;
      timer.due += timer.period;
      this.#watch(timer.run());
    }
    this.#time = until;
  }

  #nextTimer(until) {
    let next;
    for (const timer of this.#timers) {
      if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  }

  /** Runs the callback of a control that the last frame drew. */
  act(handle, event) {
    this.#hear();
    this.#watch(this.#handlers.get(handle)?.(freezeDeep(event)));
  }

  /** Equal props are no news. */
  setProps(props) {
    if (JSON.stringify(props) === JSON.stringify(this.#props)) return;
    this.#hear();
    this.#props = freezeDeep(props);
    this.#isStale = true;
  }

  /** What the surface says of itself: `columns`, `rows`, `isWindowFocused`, `isMotionReduced`, `beneath`. */
  setFacts(facts) {
    const isNews = Object.entries(facts).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(this.#facts[name]));
    if (!isNews) return;
    this.#hear();
    this.#facts = { ...this.#facts, ...freezeDeep({ ...facts }) };
    this.#isStale = true;
  }

  /**
   * Draws until nothing has changed.
   *
   * @param {string} plugin
   * @returns {{tree?: unknown, post?: unknown, tooLarge?: true}} `tree` where it drew anew; `post` what it last posted
   *   since the frame before, unless that was larger than may be sent.
   */
  frame(plugin) {
    if (this.#rejected !== undefined) {
      const { reason } = this.#rejected;
      throw new Error(`a promise it returned was rejected: ${reason instanceof Error ? reason.message : String(reason)}`);
    }
    let tree;
    while (this.#isStale) tree = this.#render(plugin);
    return { ...(tree === undefined ? {} : { tree }), ...this.#takePost() };
  }

  #render(plugin) {
    this.#isStale = false;
    this.#hasSetState = false;
    const drawn = serialize((0, this.#component)(this.#props, this.#surface), plugin, { isPart: false });
    this.#handlers = drawn.handlers;
    this.#busyRenders = this.#hasSetState ? this.#busyRenders + 1 : 0;
    if (this.#busyRenders >= MOST_RENDERS) {
      throw new Error(`each of ${MOST_RENDERS} renders set the state again, and nothing was heard in between`);
    }
    return drawn.tree;
  }

  #takePost() {
    const text = this.#post;
    this.#post = undefined;
    if (text === undefined) return {};
    const data = JSON.parse(text);
    const size = measure(data);
    const isTooLarge = text.length > POST.characters || size.values > POST.values || size.depth > POST.depth;
    return isTooLarge ? { tooLarge: true } : { post: data };
  }

  /** Nothing of it runs any more. */
  unmount() {
    this.#timers.clear();
    this.#listeners = { key: undefined, pointer: undefined };
    this.#handlers = new Map();
    this.#isStale = false;
  }
}
