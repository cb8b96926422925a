// `next` as hooks get it: a function with members of its own. Every run of a hook gets a new one, so making it has to
// be cheap: getters are shared by all of them and find the frame by `this`, and V8 keeps one shape for all.

import { HooksError, ops, primordials } from "ext:modgate/00_base.js";
import { AbortController } from "ext:modgate/10_web.js";

const {
  MathFloor,
  MathMax,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetPrototypeOf,
  SafeMap,
  StringPrototypeEndsWith,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;

/** A constructor that gives what it is given, so that a class beneath it can hang a private field on a function. */
class Given {
  constructor(object) {
    return object;
  }
}

/** Hangs a frame on its `next`, where a mod cannot find it. */
class Framed extends Given {
  #frame;
  constructor(next, frame) {
    super(next);
    this.#frame = frame;
  }
  /** The frame of a `next`, or of an object that inherits from one. */
  static of(object) {
    while (!(#frame in object)) object = ObjectGetPrototypeOf(object);
    return object.#frame;
  }
}

const member = (get) => ObjectFreeze({ __proto__: null, get, enumerable: true, configurable: false });

const SIGNAL = member(function () {
  const frame = Framed.of(this);
  if (frame.controller === undefined) frame.controller = new AbortController();
  return frame.controller.signal;
});

const TRACE = member(function () {
  return ops.op_mg_trace(Framed.of(this).invocation.id);
});

const BUDGET = member(function () {
  const frame = Framed.of(this);
  frame.view ??= ObjectFreeze({
    get ms() {
      return frame.budget.ms;
    },
    get remainingMs() {
      return frame.budget.ms > 0 ? MathMax(0, frame.budget.ms - MathFloor(frame.budget.used())) : Infinity;
    },
  });
  return frame.view;
});

function selects(pattern, event) {
  if (StringPrototypeStartsWith(pattern, "!")) return !selects(StringPrototypeSlice(pattern, 1), event);
  if (pattern === "*") return true;
  if (StringPrototypeEndsWith(pattern, ".*")) return StringPrototypeStartsWith(event, StringPrototypeSlice(pattern, 0, -1));
  return pattern === event;
}

/** `next.is` by event: it depends on nothing else. */
const testers = new SafeMap();

function testerOf(event) {
  let is = testers.get(event);
  if (is === undefined) {
    is = (pattern) => {
      if (typeof pattern === "string" && pattern !== "") return selects(pattern, event);
      throw new HooksError(`next.is() takes the name of an event or a pattern of such names, not ${pattern === "" ? "an empty text" : typeof pattern}`);
    };
    testers.set(event, is);
  }
  return is;
}

/**
 * Gives the function the members that hooks and `.catch` handlers share, in the order in which a reader lists them;
 * `extra` are the descriptors of those that only a handler has.
 */
function withMembers(next, frame, to, extra) {
  const { invocation } = frame;
  new Framed(next, frame);
  next.to = to;
  ObjectDefineProperty(next, "signal", SIGNAL);
  next.is = testerOf(invocation.event);
  next.event = invocation.event;
  next.origin = invocation.origin;
  if (extra !== undefined) ObjectDefineProperties(next, extra);
  ObjectDefineProperty(next, "trace", TRACE);
  ObjectDefineProperty(next, "budget", BUDGET);
  return ObjectFreeze(next);
}

export { withMembers };
