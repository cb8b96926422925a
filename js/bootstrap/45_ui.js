// Drawing: callbacks that stay here while their drawing leaves, and surface modules at work.

import { freezeDeep, HooksError, hostError, primordials } from "ext:modgate/00_base.js";
import { Budget, Frame, inFrame } from "ext:modgate/25_frame.js";
import { outgoing } from "ext:modgate/30_chain.js";
import { keep } from "ext:modgate/60_host.js";
import { clientElements, ClientInstance, componentOf, serialize } from "ext:modgate/ui/main.js";

const { Error, ObjectFreeze, Promise, PromisePrototypeThen, PromiseResolve, SafeMap, SafeSet } = primordials;

/** The callbacks of what this mod drew, by handle. Rust says when a drawing is gone. */
const handlers = new SafeMap();
/** Instances of this isolate's surface module, by the number that Rust gave them. */
const clients = new SafeMap();
/** The module that was loaded into this isolate. */
let loaded;

/** Called by Rust once the entry module has run. */
function setLoaded(namespace) {
  loaded = namespace;
}

/** This isolate is for a surface module: it has the clock of its surface, and no timers. */
function becomeSurface() {
  const timers = ["clearInterval", "clearTimeout", "setInterval", "setTimeout"];
  for (let index = 0; index < timers.length; index++) delete globalThis[timers[index]];
}

/** What `ui.render` answers leaves as `{tree, handles}`: plain data, and which callbacks were kept for it. */
outgoing["ui.render"] = (answer, invocation) => {
  const drawn = serialize(answer, invocation.dollar.plugin.name);
  const handles = [];
  drawn.handlers.forEach((callback, handle) => {
    handlers.set(handle, callback);
    handles[handles.length] = handle;
  });
  return { tree: drawn.tree, handles };
};

function client(id) {
  const found = clients.get(id);
  if (found === undefined) throw new HooksError("the instance of the surface module has ended");
  return found;
}

/** What a callback's frame has in the place of a hook: it belongs to no dispatch. */
const NO_HOOK = ObjectFreeze({ __proto__: null, index: -1 });

/** Frames of callbacks under way. */
const timedFrames = new SafeSet();

/** Script was ended from outside: Rust has told everybody who waited for a callback, and no clock runs for one. */
function endCallbacks() {
  timedFrames.forEach((frame) => frame.end());
  timedFrames.clear();
}

/** Runs a callback and waits for what it gives, which is dropped; rejects once its own time is spent. */
function timed(event, milliseconds, run) {
  return new Promise((resolve, reject) => {
    const budget = new Budget(event, milliseconds, () => {
      timedFrames.delete(frame);
      frame.end();
      reject(hostError("Overrun", `the callback has used its ${milliseconds} ms`));
    });
    const frame = new Frame({ __proto__: null, id: 0, event, frames: new SafeSet() }, NO_HOOK, undefined, budget, false);
    timedFrames.add(frame);
    frame.start();
    const settle = (settled) => (value) => {
      timedFrames.delete(frame);
      frame.end();
      settled(value);
    };
    try {
      PromisePrototypeThen(PromiseResolve(inFrame(frame, run)), settle(() => resolve()), settle(reject));
    } catch (error) {
      settle(reject)(error);
    }
  });
}

/** What Rust may ask for, by name. */
const verbs = {
  __proto__: null,
  /** Runs the callback of a control with the event of that name; its own time is counted as that of a hook. */
  run(handle, event, name, budget) {
    const callback = handlers.get(handle);
    if (callback === undefined) throw new HooksError("the drawing that held this element is gone");
    return timed(name, budget, () => callback(freezeDeep(event)));
  },
  /** Drops the callbacks of drawings that are gone. */
  drop(handles) {
    for (let index = 0; index < handles.length; index++) handlers.delete(handles[index]);
  },
  /** Starts an instance of the surface module. */
  open(id, { plugin, names, props, columns, rows }) {
    const instance = new ClientInstance(componentOf(loaded), { elements: clientElements(names), props, columns, rows });
    clients.set(id, { instance, plugin });
  },
  /** `key`, `pointer`, `advance`, `setProps` or `setFacts` of an instance. */
  tell(id, verb, value) {
    client(id).instance[verb](value);
  },
  /** Runs the callback of a control that an instance drew. */
  act(id, handle, event) {
    client(id).instance.act(handle, event);
  },
  /** What the instance draws and posts, where it has anything new. */
  frame(id) {
    const { instance, plugin } = client(id);
    return instance.frame(plugin);
  },
  /** Ends an instance. */
  close(id) {
    clients.get(id)?.instance.unmount();
    clients.delete(id);
  },
};

// The first function that is kept: Rust knows it by its number, 0.
if (keep((verb, ...args) => verbs[verb](...args)) !== 0) throw new Error("the bootstrap keeps the way to drawings first");

export { becomeSurface, endCallbacks, setLoaded, verbs };
