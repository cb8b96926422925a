// The hooks of one mod on one dispatch, outermost first. Only what passes the innermost of them goes to Rust.

import {
  expectReply,
  faultError,
  forget,
  fromBeneath,
  HooksError,
  hostError,
  ops,
  primordials,
  setAsyncContext,
} from "ext:modgate/00_base.js";
import { Budget, Frame, inFrame } from "ext:modgate/25_frame.js";
import { withMembers } from "ext:modgate/27_next.js";
import { isPlainObject, registrations } from "ext:modgate/20_registry.js";

const {
  ObjectFreeze,
  ObjectKeys,
  Promise,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  SafeMap,
  SafeSet,
} = primordials;

const CATCH_BUDGET = 1000;
const FAILED = { threw: 0, timeout: 1, answer: 2 };

/** Invocations under way, by the number that Rust gave them. */
const invocations = new SafeMap();

/**
 * Called by Rust after a run of script was ended from outside. V8 has dropped the jobs that were queued, so no
 * invocation of this isolate can be trusted to come to an end: all of them have had their time.
 */
function expireAll() {
  setAsyncContext(undefined);
  const all = [];
  invocations.forEach((invocation) => {
    all[all.length] = invocation;
  });
  for (let index = 0; index < all.length; index++) giveUp(all[index], undefined);
}

/** Ends a mod's part of a dispatch whose time is used up; the hook that was at work is the one that failed. */
function giveUp(invocation, spent) {
  let frame;
  invocation.frames.forEach((candidate) => {
    if (frame === undefined || candidate.open === 0) frame = candidate;
  });
  const registration = frame === undefined ? invocation.hooks[0] : frame.registration;
  const reason = spent ?? new HooksError(`the hook on ${invocation.event} has used its ${invocation.budget.ms} ms`);
  invocation.failure ??= { registration, kind: FAILED.timeout, error: reason };
  invocation.frames.forEach((one) => one.abort(reason));
  endFrames(invocation);
  if (invocation.isCatching) endFailed(invocation, invocation.failure);
  else if (!invocation.isConcluded) invocation.onGivenUp(invocation.failure);
}

const takesArgument = (event) => `${event}: next() takes the event's argument, a plain object`;

/** A `next` that was kept: with the input of another dispatch it is that which a reader has to be told. */
function lateCall(frame, input) {
  const { event } = frame.invocation;
  const fields = input === frame.input ? [] : ObjectKeys(frame.input);
  let changed = "";
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index];
    if (input[field] !== frame.input[field]) changed += `${changed === "" ? "" : ", "}changed ${field}`;
  }
  if (changed !== "") return `${event}: next() was given the input of another dispatch (${changed})`;
  return `${event}: next() was called after it settled`;
}

/** `next` as a hook gets it; `run(input, to)` is what it does with a checked argument. */
function makeNext(frame, run, extra) {
  const { event } = frame.invocation;
  const call = (input, to) => {
    if (!isPlainObject(input)) return PromiseReject(new HooksError(takesArgument(event)));
    if (frame.isOver) return PromiseReject(new HooksError(lateCall(frame, input)));
    frame.pause();
    let answer;
    try {
      answer = run(input, to);
    } catch (error) {
      frame.resume();
      return PromiseReject(error);
    }
    return PromisePrototypeThen(answer, (value) => {
      frame.resume();
      return value;
    }, (error) => {
      frame.resume();
      throw error;
    });
  };
  // Without a name, as on the host.
  const next = (() => (input) => call(input, undefined))();
  return withMembers(next, frame, (input, tier) => call(input, `${tier}`), extra);
}

/** Calls what is beneath the mod: a promise of its answer. A refused argument throws. */
function beneath(frame, input, to, isStream) {
  const { invocation } = frame;
  const { id, promise } = expectReply(true);
  const isSame = input === invocation.input;
  const refused = ops.op_mg_next(
    invocation.id,
    frame.registration.index,
    id,
    isSame,
    isSame ? undefined : input,
    to,
    frame.isCatch,
  );
  if (refused !== undefined) {
    forget(id);
    throw faultError(refused);
  }
  invocation.called = true;
  const prepare = incoming[invocation.event];
  return isStream ? id : prepare === undefined ? promise : PromisePrototypeThen(promise, prepare);
}

/**
 * What a hook passes to the hooks of the same mod beneath it: the input as they get it, and which of them match it.
 */
function passOn(frame, passed, matched) {
  if (passed === frame.input) return [passed, matched];
  const [isOk, value, fits] = ops.op_mg_passed_on(frame.invocation.id, passed);
  if (!isOk) throw faultError(value);
  return [value, fits];
}

/** The first place from `place` on whose hook matches; -1 when the rest of the chain is beneath the mod. */
function placeFrom(matched, place) {
  while (place < matched.length && !matched[place]) place++;
  return place < matched.length ? place : -1;
}

/** Remembers what the hooks from that place on are given, and which of them fit it: their `.catch` is told the same. */
function reaches(invocation, place, input, matched) {
  for (; place < matched.length; place++) {
    invocation.inputs[place] = input;
    invocation.fits[place] = matched[place];
  }
}

/** Runs the hook at that place and all within it. */
function runHook(invocation, place, input, matched, isInner) {
  const registration = invocation.hooks[place];
  const frame = new Frame(invocation, registration, input, invocation.budget, false);
  invocation.frames.add(frame);
  const run = (passed, to) => {
    if (place + 1 < matched.length) {
      const [value, fits] = passOn(frame, passed, matched);
      reaches(invocation, place + 1, value, fits);
      const inner = to === undefined ? placeFrom(fits, place + 1) : -1;
      if (inner !== -1) return runHook(invocation, inner, value, fits, true);
    }
    return beneath(frame, passed, to, false);
  };
  const next = makeNext(frame, run);
  return new Promise((resolve, reject) => {
    frame.start();
    let answer;
    try {
      answer = inFrame(frame, () => registration.fn(invocation.dollar, input, next));
    } catch (error) {
      answer = PromiseReject(error);
    }
    PromisePrototypeThen(PromiseResolve(answer), (value) => {
      if (frame.isOver) return;
      frame.end();
      // The outermost one's answer is looked at where it leaves the mod.
      if (isInner && (value === undefined || value === null)) fail(frame, FAILED.answer, noResult(invocation), isInner, reject);
      else resolve(value);
    }, (error) => {
      if (frame.isOver) return;
      frame.end();
      fail(frame, FAILED.threw, error, isInner, reject);
    });
  });
}

const noResult = (invocation) => new HooksError(`${invocation.dollar.plugin.name}: the hook on ${invocation.event} returned no result`);

/**
 * A hook above may still catch what this one failed with; if none does, the mod has failed, and this hook is named.
 */
function fail(frame, kind, error, isInner, reject) {
  const { invocation } = frame;
  if (isFromBeneath(error) || invocation.failure !== undefined && invocation.failure.shown === error) return reject(error);
  // What the hook above gets is an error of the host's own that says the same.
  const shown = isInner ? hostError(nameOf(error), textOf(error)) : error;
  invocation.failure = { registration: frame.registration, kind, error, shown };
  reject(shown);
}

function isFromBeneath(error) {
  return typeof error === "object" && error !== null && fromBeneath.has(error);
}

/** Called by Rust: runs the hooks with these indices on an event, and says to Rust how it ended. */
function invoke(id, event, indices, matched, input, plugin, tier, budget, dollar) {
  conclude(openInvocation(id, event, indices, matched, input, plugin, tier, budget, dollar));
}

function openInvocation(id, event, indices, matched, input, plugin, tier, budget, dollar) {
  const invocation = {
    id,
    event,
    input,
    origin: ObjectFreeze({ plugin, tier }),
    budget: undefined,
    dollar,
    hooks: [],
    matched,
    // By hook: what it was given last, and whether it fits.
    inputs: [],
    fits: [],
    frames: new SafeSet(),
    called: false,
    failure: undefined,
    // Set once the answer or the failure is being dealt with; nothing may do so twice.
    isConcluded: false,
    isCatching: false,
    onGivenUp: undefined,
  };
  invocation.budget = new Budget(event, budget, (reason) => giveUp(invocation, reason));
  for (let index = 0; index < indices.length; index++) invocation.hooks[index] = registrations[indices[index]];
  reaches(invocation, 0, input, matched);
  invocations.set(id, invocation);
  return invocation;
}

async function conclude(invocation) {
  invocation.onGivenUp = (failure) => {
    invocation.isConcluded = true;
    askCatch(invocation, failure);
  };
  let answer;
  let failure;
  try {
    answer = await runHook(invocation, placeFrom(invocation.matched, 0), invocation.input, invocation.matched, false);
    if (invocation.isConcluded) return;
  } catch (error) {
    if (invocation.isConcluded) return;
    invocation.isConcluded = true;
    // What nobody beneath answers is no failure of the mod, but its `.catch` may answer in their place.
    if (isFromBeneath(error) && catcher(invocation) === -1) return endRejected(invocation, error);
    failure = invocation.failure ?? { registration: invocation.hooks[placeFrom(invocation.matched, 0)], kind: FAILED.threw, error };
  }
  invocation.isConcluded = true;
  if (failure === undefined) {
    const refused = accept(invocation, answer);
    if (refused === undefined) return over(invocation);
    // A value that cannot cross is no answer of another shape: nobody else is asked.
    if (refused.isUnreadable) return endRejected(invocation, refused.error);
    failure = { registration: invocation.hooks[placeFrom(invocation.matched, 0)], kind: FAILED.answer, error: refused.error };
  }
  endFrames(invocation);
  await askCatch(invocation, failure);
}

/** Hands the answer to Rust; gives the error that says what is wrong with it, if something is. */
function accept(invocation, answer) {
  try {
    return hand(invocation, answer);
  } catch (error) {
    return { error, isUnreadable: false };
  }
}

function hand(invocation, answer) {
  if (answer === undefined) return { error: new HooksError("returned no result"), isUnreadable: false };
  if (typeof answer === "function") return { error: new HooksError("returned a function"), isUnreadable: false };
  const prepare = outgoing[invocation.event];
  if (prepare !== undefined) answer = prepare(answer, invocation);
  const refused = ops.op_mg_answer(invocation.id, answer);
  return refused === undefined ? undefined : { error: faultError(refused), isUnreadable: refused[2] === true };
}

/**
 * Answers that hold more than plain data, by event: what keeps the functions here and gives the data. It may throw;
 * its error is then what is wrong with the answer.
 */
const outgoing = { __proto__: null };

/** What `next` gives that is more than plain data, by event: what makes it of the data. */
const incoming = { __proto__: null };

function over(invocation) {
  endFrames(invocation);
  invocations.delete(invocation.id);
  ops.op_mg_ended(invocation.id, undefined, undefined);
}

function endRejected(invocation, error) {
  endFrames(invocation);
  invocations.delete(invocation.id);
  ops.op_mg_ended(invocation.id, `${error.name}`, `${error.message}`);
}

function endFailed(invocation, failure) {
  endFrames(invocation);
  if (!invocations.delete(invocation.id)) return;
  ops.op_mg_failed(invocation.id, failure.registration.index, failure.kind, failure.error);
}

function endFrames(invocation) {
  invocation.frames.forEach((frame) => frame.end());
}

/** The place of the outermost hook that has a `.catch` and fits what it was given; -1 without one. */
function catcher(invocation) {
  for (let place = 0; place < invocation.hooks.length; place++) {
    if (invocation.fits[place] && invocation.hooks[place].handler !== undefined) return place;
  }
  return -1;
}

/** The outermost registration that has a `.catch` answers, whichever of them failed. */
async function askCatch(invocation, failure) {
  const place = catcher(invocation);
  if (place === -1) return endFailed(invocation, failure);
  invocation.isCatching = true;
  ops.op_mg_asks_catch(invocation.id, failure.registration.index, failure.kind, failure.error);
  const frame = catchFrame(invocation, place);
  const { registration, input } = frame;
  invocation.frames.add(frame);
  const next = makeNext(frame, (passed) => beneath(frame, passed, undefined, false), catchMembers(invocation, failure));
  let second;
  try {
    const answer = await new Promise((resolve, reject) => {
      frame.onTimeout = reject;
      frame.start();
      const answer = inFrame(frame, () => registration.handler(invocation.dollar, input, next));
      // Not resolved with it: then nobody could end the wait.
      PromisePrototypeThen(PromiseResolve(answer), resolve, reject);
    });
    frame.end();
    const refused = accept(invocation, answer);
    if (refused === undefined) return over(invocation);
    second = { registration, kind: FAILED.answer, error: refused.error };
  } catch (error) {
    frame.end();
    if (isFromBeneath(error)) return endRejected(invocation, error);
    second = { registration, kind: FAILED.threw, error };
  }
  endFailed(invocation, second);
}

/** The run of the `.catch` handler at that place: with time of its own. */
function catchFrame(invocation, place) {
  const budget = new Budget(invocation.event, CATCH_BUDGET, (reason) => {
    frame.end();
    frame.abort(reason);
    frame.onTimeout?.(reason);
  });
  const frame = new Frame(invocation, invocation.hooks[place], invocation.inputs[place], budget, true);
  return frame;
}

function catchMembers(invocation, failure) {
  return {
    __proto__: null,
    error: { __proto__: null, value: catchError(invocation, failure), enumerable: true },
    called: { __proto__: null, value: invocation.called, enumerable: true },
  };
}

function catchError(invocation, failure) {
  const error = { kind: failure.kind === FAILED.timeout ? "timeout" : "throw" };
  if (failure.kind !== FAILED.timeout) error.message = toldMessage(invocation, failure.error);
  error.budget = CATCH_BUDGET;
  return ObjectFreeze(error);
}

/** A thrown error's name; `Error` for what has none. */
function nameOf(error) {
  try {
    return typeof error === "object" && error !== null && typeof error.name === "string" && error.name !== "" ? error.name : "Error";
  } catch {
    return "Error";
  }
}

/** What a thrown value says; nothing where it is no error and no text of its own. */
function textOf(error) {
  try {
    if (typeof error === "object" && error !== null) return typeof error.message === "string" ? error.message : "";
    return error === undefined || error === null || typeof error === "symbol" || typeof error === "function" ? "" : `${error}`;
  } catch {
    return "";
  }
}

/** As 2.1.332 tells it: with the error's name where the mod's first hook on the event takes no part in the dispatch. */
function toldMessage(invocation, error) {
  const name = nameOf(error);
  const text = textOf(error);
  if (invocation.matched[0]) return text === "" ? name : text;
  return text === "" ? `HooksError: ${name}` : `${name}: ${text}`;
}

function messageOf(error) {
  try {
    return typeof error === "object" && error !== null && typeof error.message === "string" ? error.message : `${error}`;
  } catch {
    return "an error that cannot be read";
  }
}

/** Called by Rust: what is above has settled, or the user interrupted. */
function abort(id, reason) {
  invocations.get(id)?.frames.forEach((frame) => frame.abort(new HooksError(reason)));
}

export {
  abort,
  accept,
  beneath,
  catchFrame,
  catcher,
  catchMembers,
  endFailed,
  endFrames,
  endRejected,
  expireAll,
  FAILED,
  incoming,
  invocations,
  invoke,
  isFromBeneath,
  messageOf,
  openInvocation,
  outgoing,
  over,
  takesArgument,
};
