// One run of a hook: its own time, and the frame in which its calls on `$` are made.

import { getAsyncContext, HooksError, ops, primordials, setAsyncContext } from "ext:modgate/00_base.js";
import { AbortController } from "ext:modgate/10_web.js";
import { fire, nextDue, ownTime } from "ext:modgate/15_timers.js";

const { DateNow, MathMax, MathMin, SafeSet } = primordials;

/**
 * Milliseconds up to which a budget is counted in the isolate's own time: it is too short for what a busy machine may
 * take away. Longer ones are counted in the time that goes by.
 */
let longestOwn = 0;

/** Called once the isolate belongs to a mod: before that there is nobody to ask. */
function startClock() {
  longestOwn = ops.op_mg_longest_own_budget();
}

/** Budgets whose clock runs. */
const running = new SafeSet();

/**
 * Own time that one mod has on one dispatch: its hooks there share it. `ms` of 0 has no end. `onSpent` is called, once the
 * time is used up, with the error that says so.
 */
class Budget {
  constructor(event, ms, onSpent) {
    this.event = event;
    this.ms = ms;
    this.onSpent = onSpent;
    this.clock = ms > 0 && ms <= longestOwn ? ownTime : DateNow;
    this.spent = 0;
    this.users = 0;
    this.since = 0;
  }
  start() {
    if (this.users++ > 0) return;
    this.since = this.clock();
    if (this.ms > 0) {
      running.add(this);
      watch(this.ms - this.spent);
    }
  }
  stop() {
    if (--this.users > 0) return;
    this.spent += this.clock() - this.since;
    running.delete(this);
  }
  used() {
    return this.users > 0 ? this.spent + (this.clock() - this.since) : this.spent;
  }
}

/** One run of one hook (or `.catch` handler): whether its time runs, and whether it is over. */
class Frame {
  constructor(invocation, registration, input, budget, isCatch) {
    this.invocation = invocation;
    this.registration = registration;
    this.input = input;
    this.budget = budget;
    this.isCatch = isCatch;
    this.isOver = false;
    this.isRunning = false;
    this.open = 0;
    this.controller = undefined;
    this.view = undefined;
    this.onTimeout = undefined;
  }
  start() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.budget.start();
  }
  stop() {
    if (!this.isRunning) return;
    this.isRunning = false;
    this.budget.stop();
  }
  /** A call on `next` or `$` begins: the clock stands while at least one is open. */
  pause() {
    if (this.open++ === 0 && !this.isOver) this.stop();
  }
  resume() {
    if (--this.open === 0 && !this.isOver) this.start();
  }
  end() {
    if (this.isOver) return;
    this.stop();
    this.isOver = true;
    this.invocation.frames.delete(this);
  }
  abort(reason) {
    if (this.controller === undefined) this.controller = new AbortController();
    this.controller.abort(reason);
  }
}

/** Asks Rust to call `tick` once that much time has gone by, and to end script that has not paused by then. */
function watch(milliseconds) {
  ops.op_mg_wake_in(milliseconds);
}

/** Called by Rust: ends the hooks of mods whose own time is spent. A timer that was due before that runs first. */
function tick() {
  const now = ownTime();
  let soonest = Infinity;
  let longest = 0;
  const spent = [];
  running.forEach((budget) => {
    const left = budget.ms - budget.used();
    if (left <= 0) {
      spent[spent.length] = budget;
      longest = MathMin(longest, left);
    } else if (left < soonest) soonest = left;
  });
  if (spent.length > 0 && nextDue() <= now + longest) {
    fire();
    return watch(0);
  }
  for (let index = 0; index < spent.length; index++) expire(spent[index]);
  if (soonest !== Infinity) watch(MathMax(1, soonest));
}

function expire(budget) {
  running.delete(budget);
  budget.onSpent(new HooksError(`the hook on ${budget.event} has used its ${budget.ms} ms`));
}

/** Runs `fn` so that calls on `$` know from which frame they come. */
function inFrame(frame, fn) {
  const outer = getAsyncContext();
  setAsyncContext(frame);
  try {
    return fn();
  } finally {
    setAsyncContext(outer);
  }
}

function currentFrame() {
  return getAsyncContext();
}

export { Budget, currentFrame, Frame, inFrame, startClock, tick };
