// The last step: takes away what a mod may not have, and freezes the built-ins.

import { primordials } from "ext:modgate/00_base.js";

const {
  ArrayPrototypePush,
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
  "escape",
  "queueMicrotask",
  "unescape",
  "gc",
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
function freezeAll(roots) {
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
    ObjectFreeze(object);
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
  for (let index = 0; index < ABSENT.length; index++) delete globalThis[ABSENT[index]];
  allowOverride(Object.prototype);
  allowOverride(Error.prototype);
  const roots = hiddenIntrinsics();
  const names = ReflectOwnKeys(globalThis);
  for (let index = 0; index < names.length; index++) {
    if (names[index] === "Deno" || names[index] === "__bootstrap" || names[index] === "__infra") continue;
    const property = ObjectGetOwnPropertyDescriptor(globalThis, names[index]);
    ArrayPrototypePush(roots, property.value);
  }
  freezeAll(roots);
}

export { seal };
