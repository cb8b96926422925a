// The last step: takes away what a mod may not have, and freezes the built-ins.

import { core, primordials } from "ext:modgate/00_base.js";

const {
  ArrayPrototypePush,
  DatePrototypeGetTime,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ReflectOwnKeys,
  SafeSet,
  TypeError,
} = primordials;

const ABSENT = [
  "Atomics",
  "FinalizationRegistry",
  "SharedArrayBuffer",
  "ShadowRealm",
  "WeakRef",
  "WebAssembly",
  "queueMicrotask",
  "gc",
];

/** Left to the mod, as on the host: nothing of ours goes through them. */
const FREE = new SafeSet([
  "Deno",
  "__bootstrap",
  "__infra",
  "Fragment",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "clearInterval",
  "clearTimeout",
  "h",
  "setInterval",
  "setTimeout",
  "structuredClone",
]);

/** What V8 still adds to when it makes a context from the snapshot, so that `finish` has to freeze it. */
const LATE = [
  Atomics,
  DataView.prototype,
  Error,
  Intl.Locale.prototype,
  Iterator,
  Iterator.prototype,
  Map.prototype,
  Math,
  Promise,
  RegExp,
  Uint8Array,
  Uint8Array.prototype,
  WeakMap.prototype,
  ObjectGetPrototypeOf(ObjectGetPrototypeOf((async function* () {}).prototype)),
];

/** Objects that hang on syntax or on other objects only. */
function hiddenIntrinsics() {
  const generator = function* () {};
  const asyncGenerator = async function* () {};
  const roots = [
    ObjectGetPrototypeOf(generator),
    ObjectGetPrototypeOf(asyncGenerator),
    ObjectGetPrototypeOf(async () => {}),
    ObjectGetPrototypeOf([].values()),
    ObjectGetPrototypeOf(new Map().values()),
    ObjectGetPrototypeOf(new Set().values()),
    ObjectGetPrototypeOf("".matchAll(/./g)),
    ObjectGetPrototypeOf(""[Symbol.iterator]()),
    ObjectGetPrototypeOf(Int8Array),
  ];
  return roots;
}

/** Freezes everything that can be reached from the built-ins, without running a getter. */
function freezeAll(roots, late) {
  const seen = new SafeSet();
  const waiting = [];
  const visit = (value) => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
    if (value === globalThis) return;
    seen.add(value);
    ArrayPrototypePush(waiting, value);
  };
  for (let index = 0; index < roots.length; index++) visit(roots[index]);
  while (waiting.length > 0) {
    const object = waiting.pop();
    if (!late.has(object)) ObjectFreeze(object);
    visit(ObjectGetPrototypeOf(object));
    const keys = ReflectOwnKeys(object);
    for (let index = 0; index < keys.length; index++) {
      const property = ObjectGetOwnPropertyDescriptor(object, keys[index]);
      if (property === undefined) continue;
      visit(property.value);
      visit(property.get);
      visit(property.set);
    }
  }
}

/**
 * An object that inherits a frozen `toString` could otherwise not be given one of its own by assignment: the classic
 * trap of frozen prototypes. The properties of these prototypes become accessors whose setter defines an own property.
 */
function allowOverride(prototype) {
  const keys = ReflectOwnKeys(prototype);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    const property = ObjectGetOwnPropertyDescriptor(prototype, key);
    if (!property.configurable || !("value" in property)) continue;
    const { value } = property;
    ObjectDefineProperty(prototype, key, {
      __proto__: null,
      configurable: true,
      enumerable: property.enumerable,
      get() {
        return value;
      },
      set(replacement) {
        if (this === prototype) throw new TypeError(`Cannot assign to '${String(key)}' of a built-in prototype`);
        ObjectDefineProperty(this, key, {
          __proto__: null,
          value: replacement,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
    });
  }
}

function seal() {
  defineTemporal();
  allowOverride(Object.prototype);
  allowOverride(Error.prototype);
  const roots = hiddenIntrinsics();
  const names = ReflectOwnKeys(globalThis);
  for (let index = 0; index < names.length; index++) {
    if (FREE.has(names[index])) continue;
    const property = ObjectGetOwnPropertyDescriptor(globalThis, names[index]);
    ArrayPrototypePush(roots, property.value);
  }
  freezeAll(roots, new SafeSet(LATE));
}

/** The rest, in each new context: what V8 has added to it since the snapshot. */
function finish(absent = ABSENT, late = LATE) {
  for (let index = 0; index < absent.length; index++) {
    // Beneath a wrapper of deno_core's there can be one that V8 installed.
    for (let layer = 0; layer < 2; layer++) delete globalThis[absent[index]];
  }
  for (let index = 0; index < late.length; index++) {
    const object = late[index];
    const keys = ReflectOwnKeys(object);
    for (let at = 0; at < keys.length; at++) {
      const property = ObjectGetOwnPropertyDescriptor(object, keys[at]);
      freezeFunction(property.value);
      freezeFunction(property.get);
      freezeFunction(property.set);
    }
    ObjectFreeze(object);
  }
}

function freezeFunction(value) {
  if (typeof value === "function") ObjectFreeze(value);
}

/**
 * `Temporal`, where V8 has none: a polyfill, compiled at the first read. A `Date` can be turned into an instant as well.
 */
function defineTemporal() {
  if ("Temporal" in globalThis) return;
  let temporal;
  const get = () => {
    if (temporal === undefined) {
      temporal = core.loadExtScript("ext:modgate/temporal.js");
      freezeAll([temporal], new SafeSet());
    }
    return temporal;
  };
  ObjectDefineProperty(globalThis, "Temporal", {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get,
    set(value) {
      ObjectDefineProperty(globalThis, "Temporal", { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    },
  });
  const method = {
    toTemporalInstant() {
      return get().Instant.fromEpochMilliseconds(DatePrototypeGetTime(this));
    },
  };
  ObjectDefineProperty(Date.prototype, "toTemporalInstant", {
    __proto__: null,
    value: method.toTemporalInstant,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

export { finish, seal };
