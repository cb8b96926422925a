// Streaming events: hooks are async generators, `next` gives a stream, and Rust pulls chunk by chunk.

import { expectReply, faultError, freezeDeep, HooksError, ops, primordials } from "ext:modgate/00_base.js";
import {
  accept,
  beneath,
  catcher,
  catchFrame,
  catchMembers,
  endFailed,
  endRejected,
  FAILED,
  invocations,
  isFromBeneath,
  openInvocation,
  over,
  takesArgument,
} from "ext:modgate/30_chain.js";
import { Frame, inFrame } from "ext:modgate/25_frame.js";
import { withMembers } from "ext:modgate/27_next.js";
import { isPlainObject } from "ext:modgate/20_registry.js";

const { ObjectDefineProperties, Promise, PromisePrototypeThen, PromiseReject, PromiseResolve, SymbolAsyncIterator } = primordials;

/** A stream as hooks and callers see it: an async generator with a `result` promise. */
class HookStream {
  #step;
  #close;
  #isOver = false;
  constructor(step, close) {
    this.#step = step;
    this.#close = close;
    let settle;
    this.result = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    // A result nobody asks for must not count as an unhandled rejection.
    PromisePrototypeThen(this.result, undefined, () => {});
    this.settle = settle;
    ObjectDefineProperties(this, {
      settle: { __proto__: null, value: settle, enumerable: false },
      result: { __proto__: null, value: this.result, enumerable: true },
    });
  }
  async next() {
    if (this.#isOver) return { value: undefined, done: true };
    try {
      const step = await this.#step();
      if (step.done) {
        this.#isOver = true;
        this.settle.resolve(step.value);
      }
      return step;
    } catch (error) {
      this.#isOver = true;
      this.settle.reject(error);
      throw error;
    }
  }
  async return() {
    if (!this.#isOver) {
      this.#isOver = true;
      this.settle.reject(new HooksError("the stream was left before its result"));
      await this.#close();
    }
    return { value: undefined, done: true };
  }
  async throw(error) {
    await this.return(undefined);
    throw error;
  }
  [SymbolAsyncIterator]() {
    return this;
  }
}

/** A stream that Rust feeds; `id` is the number it was opened under. */
function remoteStream(id, isBeneath) {
  const step = async () => {
    const { id: reply, promise } = expectReply(isBeneath);
    ops.op_mg_pull(id, reply);
    const step = await promise;
    if (step.done) return { value: step.result, done: true };
    return { value: freezeDeep(step.chunk), done: false };
  };
  // What a hook leaves of the stream beneath is Rust's to end: when the hook failed, the chain goes on with it.
  const close = isBeneath ? async () => {} : async () => ops.op_mg_cancel(id);
  return new HookStream(step, close);
}

/** A stream whose opening may fail: the failure shows when it is read. */
function failedStream(error) {
  return new HookStream(() => PromiseReject(error), () => PromiseResolve());
}

/**
 * Called by Rust: opens the hook on a streaming event; nothing runs before the first pull. Several hooks of a mod are
 * opened one by one, each as what the one above it reads.
 */
function openStream(id, event, indices, matched, input, plugin, tier, budget, dollar) {
  const invocation = openInvocation(id, event, indices, matched, input, plugin, tier, budget, dollar);
  invocation.onGivenUp = (failure) => failStream(invocation, failure, failure.error);
  const [registration] = invocation.hooks;
  const frame = new Frame(invocation, registration, input, invocation.budget, false);
  const next = frameNext(frame, (passed, to) => beneathStream(frame, passed, to));
  invocation.source = runGenerator(frame, () => registration.fn(dollar, input, next));
}

function frameNext(frame, open, extra) {
  const { event } = frame.invocation;
  const call = (input, to) => {
    if (frame.isOver) return failedStream(new HooksError(`${event}: next() was called after it settled`));
    if (!isPlainObject(input)) return failedStream(new HooksError(takesArgument(event)));
    let stream;
    try {
      stream = open(input, to);
    } catch (error) {
      return failedStream(error);
    }
    return pausing(frame, stream);
  };
  // Without a name, as on the host.
  const next = (() => (input) => call(input, undefined))();
  return withMembers(next, frame, (input, tier) => call(input, `${tier}`), extra);
}

/** Reading the stream beneath is no time of the hook's own. */
function pausing(frame, stream) {
  const step = stream.next;
  ObjectDefineProperties(stream, {
    next: {
      __proto__: null,
      async value() {
        frame.pause();
        try {
          return await step.call(stream);
        } finally {
          frame.resume();
        }
      },
    },
  });
  return stream;
}

/** What `next` opens past the hook. */
function beneathStream(frame, input, to) {
  return remoteStream(beneath(frame, input, to, true), true);
}

function runGenerator(frame, start) {
  const { invocation } = frame;
  let generator;
  const step = () =>
    new Promise((resolve, reject) => {
      const failed = (kind, error) => {
        if (!isFromBeneath(error)) invocation.failure ??= { registration: frame.registration, kind, error };
        frame.end();
        reject(error);
      };
      invocation.frames.add(frame);
      frame.onTimeout = (reason) => failed(FAILED.timeout, reason);
      frame.start();
      let stepped;
      try {
        stepped = inFrame(frame, () => {
          generator ??= start();
          return generator.next();
        });
      } catch (error) {
        return failed(FAILED.threw, error);
      }
      PromisePrototypeThen(PromiseResolve(stepped), (result) => {
        if (frame.isOver) return;
        if (result.done) frame.end();
        else frame.stop();
        resolve(result);
      }, (error) => failed(FAILED.threw, error));
    });
  const close = async () => {
    frame.end();
    await generator?.return(undefined);
  };
  return new HookStream(step, close);
}

/** Called by Rust: gives one chunk (through `op_mg_chunk`) or ends the invocation. */
async function pull(id) {
  const invocation = invocations.get(id);
  if (invocation === undefined) return;
  let step;
  try {
    step = await invocation.source.next();
  } catch (error) {
    return failStream(invocation, invocation.failure, error);
  }
  if (!step.done) {
    const refused = ops.op_mg_chunk(id, step.value);
    if (refused !== undefined) await refuse(invocation, faultError(refused));
    return;
  }
  const refused = step.value === undefined ? passResult(invocation) : accept(invocation, step.value);
  if (refused === undefined) over(invocation);
  else await refuse(invocation, refused.error);
}

/** A hook without a result of its own has that of the stream it read; Rust knows it. */
function passResult(invocation) {
  const refused = ops.op_mg_answer(invocation.id, undefined);
  return refused === undefined ? undefined : { error: faultError(refused) };
}

async function refuse(invocation, error) {
  const failure = { registration: invocation.hooks[0], kind: FAILED.answer, error };
  // The stream beneath is handed back unread, so that Rust can go on with it.
  await failStream(invocation, failure, error);
}

/** The `.catch` takes the stream over; without one what is beneath does. */
async function failStream(invocation, failure, error) {
  if (failure === undefined || isFromBeneath(error)) return endRejected(invocation, error);
  const place = invocation.isCatching ? -1 : catcher(invocation);
  if (place === -1) return endFailed(invocation, failure);
  invocation.isCatching = true;
  invocation.failure = undefined;
  ops.op_mg_asks_catch(invocation.id, failure.registration.index, failure.kind, failure.error);
  const frame = catchFrame(invocation, place);
  const next = frameNext(frame, (passed) => beneathStream(frame, passed, undefined), catchMembers(invocation, failure));
  invocation.source = runGenerator(frame, () => frame.registration.handler(invocation.dollar, frame.input, next));
  await pull(invocation.id);
}

/** Called by Rust: the consumer left; the hooks' `finally` blocks run. */
async function closeStream(id) {
  const invocation = invocations.get(id);
  if (invocation === undefined) return;
  invocations.delete(id);
  try {
    await invocation.source.return(undefined);
  } catch {
    // Nobody is left to tell.
  }
  over(invocation);
}

export { closeStream, failedStream, HookStream, openStream, pull, remoteStream };
