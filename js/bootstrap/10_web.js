// The web basics of the global object, from Deno's own scripts where they fit.

import { core, hostError, ops, primordials } from "ext:modgate/00_base.js";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "ext:modgate/15_timers.js";

const {
  ArrayBufferIsView,
  ArrayPrototypeJoin,
  ArrayPrototypeMap,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectPrototypeIsPrototypeOf,
  Promise,
  PromiseReject,
  StringPrototypeToLowerCase,
  StringPrototypeToUpperCase,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetSymbolToStringTag,
  Uint8Array,
  DataViewPrototypeGetBuffer,
  DataViewPrototypeGetByteLength,
  DataViewPrototypeGetByteOffset,
  ArrayBufferPrototypeSlice,
  TypedArrayPrototypeSlice,
} = primordials;

const url = core.loadExtScript("ext:deno_web/00_url.js");
const encoding = core.loadExtScript("ext:deno_web/08_text_encoding.js");
const abort = core.loadExtScript("ext:deno_web/03_abort_signal.js");
const base64 = core.loadExtScript("ext:deno_web/05_base64.js");
const clone = core.loadExtScript("ext:deno_web/02_structured_clone.js");
const { inspectArgs } = core.loadExtScript("ext:deno_web/01_console.js");

const INTEGER_ARRAYS = {
  __proto__: null,
  Int8Array: true,
  Uint8Array: true,
  Uint8ClampedArray: true,
  Int16Array: true,
  Uint16Array: true,
  Int32Array: true,
  Uint32Array: true,
  BigInt64Array: true,
  BigUint64Array: true,
};

/** The bytes behind a typed array or a DataView, or of a buffer. */
function bytesOf(data) {
  if (ArrayBufferIsView(data)) {
    if (TypedArrayPrototypeGetSymbolToStringTag(data) !== undefined) {
      return new Uint8Array(
        TypedArrayPrototypeGetBuffer(data),
        TypedArrayPrototypeGetByteOffset(data),
        TypedArrayPrototypeGetByteLength(data),
      );
    }
    return new Uint8Array(DataViewPrototypeGetBuffer(data), DataViewPrototypeGetByteOffset(data), DataViewPrototypeGetByteLength(data));
  }
  return new Uint8Array(ArrayBufferPrototypeSlice(data, 0));
}

const subtle = ObjectFreeze({
  digest(algorithm, data) {
    return new Promise((resolve, reject) => {
      const name = StringPrototypeToUpperCase(`${typeof algorithm === "object" && algorithm !== null ? algorithm.name : algorithm}`);
      const digest = ops.op_mg_digest(name, TypedArrayPrototypeSlice(bytesOf(data)));
      if (digest === null || digest === undefined) {
        reject(hostError("NotSupportedError", `${name} is not a digest algorithm`));
      } else {
        resolve(TypedArrayPrototypeGetBuffer(digest));
      }
    });
  },
});

const hex = [];
for (let byte = 0; byte < 256; byte++) hex[byte] = (byte < 16 ? "0" : "") + byte.toString(16);

const crypto = ObjectFreeze({
  subtle,
  randomUUID() {
    const bytes = new Uint8Array(16);
    if (!ops.op_mg_random(bytes)) throw hostError("OperationError", "the system gives no random bytes");
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = "";
    for (let at = 0; at < 16; at++) {
      if (at === 4 || at === 6 || at === 8 || at === 10) text += "-";
      text += hex[bytes[at]];
    }
    return text;
  },
  getRandomValues(array) {
    if (!ArrayBufferIsView(array) || INTEGER_ARRAYS[TypedArrayPrototypeGetSymbolToStringTag(array)] !== true) {
      throw hostError("TypeMismatchError", "getRandomValues takes an array of integers");
    }
    const bytes = bytesOf(array);
    if (bytes.length > 65536) {
      throw hostError("QuotaExceededError", `${bytes.length} bytes are more than the 65536 that one call gives`);
    }
    if (!ops.op_mg_random(bytes)) throw hostError("OperationError", "the system gives no random bytes");
    return array;
  },
});

const performance = ObjectFreeze({ now: () => ops.op_mg_now() });

const levels = ["log", "info", "warn", "error", "debug"];
const console = { __proto__: null };
for (let index = 0; index < levels.length; index++) {
  const level = levels[index];
  console[level] = (...args) => {
    ops.op_mg_log(level, inspectArgs(args, { colors: false }));
  };
}

// Deno's scripts take the exception from the global object, where mods have none. What they would make with it is made
// here and handed to them.
core.registerErrorBuilder("DOMExceptionInvalidCharacterError", (message) => hostError("InvalidCharacterError", message));

const AbortControllerPrototype = abort.AbortController.prototype;
const abortWith = AbortControllerPrototype.abort;
const aborted = () => hostError("AbortError", "This operation was aborted");
ObjectDefineProperty(AbortControllerPrototype, "abort", {
  __proto__: null,
  value: { abort(reason = aborted()) { return FunctionPrototypeCall(abortWith, this, reason); } }.abort,
  writable: true,
  enumerable: true,
  configurable: true,
});
const statics = {
  abort(reason = aborted()) {
    const controller = new abort.AbortController();
    controller.abort(reason);
    return controller.signal;
  },
};
// Mods have time only where their host can count it.
delete abort.AbortSignal.timeout;
delete abort.AbortSignal.prototype.onabort;
for (const name in statics) {
  ObjectDefineProperty(abort.AbortSignal, name, {
    __proto__: null,
    value: statics[name],
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** What cannot be cloned is told by an error of the host's. */
function structuredClone(...args) {
  try {
    return clone.structuredClone(...args);
  } catch (error) {
    if (error?.name !== "DataCloneError") throw error;
    throw hostError(error.name, error.message);
  }
}

const UTF8 = { __proto__: null, "utf-8": true, utf8: true, "unicode-1-1-utf-8": true };

/** Reads UTF-8 and nothing else, each call a whole text. */
class TextDecoder {
  #reader;
  constructor(label = "utf-8", options = {}) {
    if (UTF8[StringPrototypeToLowerCase(`${label}`)] !== true) {
      throw hostError("RangeError", `mods read UTF-8, not ${label}`);
    }
    this.#reader = new encoding.TextDecoder("utf-8", { fatal: options?.fatal === true });
  }
  get encoding() {
    return "utf-8";
  }
  get fatal() {
    return this.#reader.fatal;
  }
  decode(input) {
    try {
      return this.#reader.decode(input);
    } catch (error) {
      throw hostError("TypeError", error.message);
    }
  }
}

const web = {
  AbortController: abort.AbortController,
  AbortSignal: abort.AbortSignal,
  TextDecoder,
  TextEncoder: encoding.TextEncoder,
  URL: url.URL,
  URLSearchParams: url.URLSearchParams,
  atob: base64.atob,
  btoa: base64.btoa,
  structuredClone,
  setTimeout,
  setInterval,
  clearTimeout,
  clearInterval,
  console: { ...console },
  crypto,
  performance,
};

/** Globals that a look at the global object's keys shows. */
const SHOWN = { __proto__: null, console: true, setTimeout: true, setInterval: true, clearTimeout: true, clearInterval: true };

function defineGlobal(name, value) {
  const enumerable = SHOWN[name] === true;
  ObjectDefineProperty(globalThis, name, { __proto__: null, value, writable: true, enumerable, configurable: true });
}

for (const name in web) {
  // A place of its own in the order of keys, also where V8 had one.
  delete globalThis[name];
  defineGlobal(name, web[name]);
}

export const AbortController = abort.AbortController;
const AbortSignalPrototype = abort.AbortSignal.prototype;
export const isAbortSignal = (value) => ObjectPrototypeIsPrototypeOf(AbortSignalPrototype, value);
export { defineGlobal, inspectArgs };
