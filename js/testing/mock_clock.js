/** `mock.clock`: a clock that moves only when the test moves it. */
import { settleLoop } from "./host.js";

const isTime = (value) => typeof value === "number" && Number.isFinite(value);

function needSpan(call, ms) {
  if (!isTime(ms) || ms < 0) throw new TypeError(`${call}: a finite number of milliseconds, 0 or more`);
}

class Clock {
  constructor(now) {
    this.time = now;
    this.waits = [];
    this.asked = 0;
    /** Moves of the clock run one after the other, whoever asked for them. */
    this.moving = Promise.resolve();
  }

  /** Ends when the clock gets there; with a signal, also when that aborts (and then nobody is waiting for it). */
  wait(ms, signal) {
    return new Promise((resolve) => {
      const wait = { due: this.time + ms, order: this.asked++, end: resolve };
      this.waits.push(wait);
      signal?.addEventListener("abort", () => {
        this.drop(wait);
        resolve();
      });
    });
  }

  drop(wait) {
    const index = this.waits.indexOf(wait);
    if (index >= 0) this.waits.splice(index, 1);
  }

  /** The wait that ends next: the earliest due, among those the one asked for first. */
  next(until) {
    return this.waits
      .filter((wait) => wait.due <= until)
      .sort((left, right) => left.due - right.due || left.order - right.order)[0];
  }

  moveTo(target) {
    const move = this.moving.then(() => this.run(target));
    this.moving = move.catch(() => {});
    return move;
  }

  /** What a wait sets off comes to rest before the next one ends, so that it may wait in its turn. */
  async run(target) {
    await settleLoop();
    for (let wait = this.next(target); wait !== undefined; wait = this.next(target)) {
      this.drop(wait);
      this.time = Math.max(this.time, wait.due);
      wait.end();
      await settleLoop();
    }
    this.time = Math.max(this.time, target);
  }
}

/**
 * @param {Function} on The test's.
 * @param {{now?: number}} [options] Where it starts, in milliseconds; 0 without it.
 * @returns {{now(): number, advance(ms: number): Promise<void>, set(ms: number): Promise<void>, settle(): Promise<void>,
 *   sleep(ms: number): Promise<void>}}
 */
export function mockClock(on, options = {}) {
  if (typeof options !== "object" || options === null || !isTime(options.now === undefined ? 0 : options.now)) {
    throw new TypeError("mock.clock(on, { now }): now is a time in milliseconds");
  }
  const clock = new Clock(options.now ?? 0);
  const waiting = async ($, e, next) => {
    await clock.wait(e.ms, next.signal);
    return { value: undefined };
  };
  on("clock.now", () => ({ value: clock.time }));
  for (const event of ["clock.sleep", "clock.after", "clock.every"]) on(event, waiting);
  return Object.freeze({
    now: () => clock.time,
    async advance(ms) {
      needSpan("advance(ms)", ms);
      await clock.moveTo(clock.time + ms);
    },
    async set(ms) {
      if (!isTime(ms) || ms < clock.time) {
        throw new TypeError(`set(ms): a time in milliseconds, not before ${clock.time}: the clock does not run backwards`);
      }
      await clock.moveTo(ms);
    },
    settle: () => clock.moveTo(clock.time),
    async sleep(ms) {
      needSpan("sleep(ms)", ms);
      await clock.wait(ms);
    },
  });
}
