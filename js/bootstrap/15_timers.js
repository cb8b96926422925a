// Timers, on the isolate's own time: what its thread ran and waited. While the machine gives the thread no processor that
// time stands still, so that the order in which timers fire is that of their delays, whatever else the machine does.

import { core, getAsyncContext, HooksError, ops, primordials, setAsyncContext } from "ext:modgate/00_base.js";

const { ArrayPrototypePush, ArrayPrototypeShift, ArrayPrototypeSplice, MathCeil, MathTrunc, ReflectApply } = primordials;

/** Timers are numbers of milliseconds of 32 bits; what is none counts as the least. */
const LONGEST = 2 ** 31 - 1;

/** Waiting timers `{id, due, period, callback, args, context}`, the next one first; of one moment the older one first. */
const queue = [];
let lastId = 0;
/** The moment for which the host was asked to call `fire`. */
let planned = Infinity;

/** Milliseconds that this isolate ran or waited. */
const ownTime = () => ops.op_mg_own_time();

function delayOf(value) {
  return typeof value === "number" && value >= 1 && value <= LONGEST ? MathTrunc(value) : 1;
}

function insert(timer) {
  let at = queue.length;
  while (at > 0 && queue[at - 1].due > timer.due) at--;
  ArrayPrototypeSplice(queue, at, 0, timer);
}

function plan(now) {
  if (queue.length === 0 || queue[0].due >= planned) return;
  planned = queue[0].due;
  const at = planned;
  core.createTimer(() => {
    // A later call that an earlier one has made needless.
    if (at !== planned) return;
    planned = Infinity;
    fire();
  }, planned > now ? MathCeil(planned - now) : 0, undefined, false, true);
}

/** Runs the next timer if it is due; those after it follow in turns of their own, so that promises come between. */
function fire() {
  const now = ownTime();
  if (queue.length > 0 && queue[0].due <= now) run(ArrayPrototypeShift(queue), now);
  plan(now);
}

function run(timer, now) {
  if (timer.period > 0) {
    timer.due = now + timer.period;
    insert(timer);
  }
  const outer = getAsyncContext();
  setAsyncContext(timer.context);
  try {
    ReflectApply(timer.callback, undefined, timer.args);
  } catch (error) {
    report(error);
  } finally {
    setAsyncContext(outer);
  }
}

let report = () => {};

/** Who is told of what a timer's function threw. */
function reportThrown(to) {
  report = to;
}

function start(name, callback, delay, args, isRepeated) {
  // Mods get no way to turn text into code, and a timer that takes text would be one.
  if (typeof callback !== "function") throw new HooksError(`${name} takes a function, not text`);
  const wait = delayOf(delay);
  const now = ownTime();
  const timer = { id: ++lastId, due: now + wait, period: isRepeated ? wait : 0, callback, args, context: getAsyncContext() };
  insert(timer);
  plan(now);
  return timer.id;
}

function clear(id) {
  for (let index = 0; index < queue.length; index++) {
    if (queue[index].id === id) return void ArrayPrototypeSplice(queue, index, 1);
  }
}

/** The moment of the next timer; Infinity without one. */
function nextDue() {
  return queue.length > 0 ? queue[0].due : Infinity;
}

const rest = (args) => {
  const list = [];
  for (let index = 2; index < args.length; index++) ArrayPrototypePush(list, args[index]);
  return list;
};

// As the host has them: without a name or parameters of their own.
const setTimeout = (() => (...args) => start("setTimeout", args[0], args[1], rest(args), false))();
const setInterval = (() => (...args) => start("setInterval", args[0], args[1], rest(args), true))();
const clearTimeout = (() => (...args) => clear(args[0]))();
const clearInterval = (() => (...args) => clear(args[0]))();

export { clearInterval, clearTimeout, fire, nextDue, ownTime, reportThrown, setInterval, setTimeout };
