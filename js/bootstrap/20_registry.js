// `on` and what `register` leaves behind.

import { faultError, HooksError, ops, primordials } from "ext:modgate/00_base.js";

const {
  ArrayIsArray,
  Error,
  FunctionPrototypeToString,
  ObjectFreeze,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ObjectPrototype,
  ObjectPrototypeIsPrototypeOf,
  ObjectPrototypeToString,
  RegExpPrototype,
  RegExpPrototypeGetFlags,
  RegExpPrototypeGetSource,
  TypeError,
} = primordials;

/** Every registration of this isolate, by index: `{fn, isGenerator, handler}`. */
const registrations = [];

const GeneratorFunction = ObjectGetPrototypeOf(async function* () {});

/** A matcher as data: a RegExp becomes `{$regexp: {source, flags}}`. */
function matcherData(value, path, depth) {
  if (depth > 64) throw new TypeError(`matcher at ${path} is nested too deeply`);
  if (ObjectPrototypeIsPrototypeOf(RegExpPrototype, value)) {
    return { $regexp: { source: RegExpPrototypeGetSource(value), flags: RegExpPrototypeGetFlags(value) } };
  }
  if (ArrayIsArray(value)) {
    const list = [];
    for (let index = 0; index < value.length; index++) list[index] = matcherData(value[index], `${path}[${index}]`, depth + 1);
    return list;
  }
  if (typeof value === "undefined" || typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`matcher at ${path} is ${typeof value}, which matches nothing`);
  }
  if (typeof value !== "object" || value === null) return value;
  if (!isRecord(value)) throw new TypeError(`matcher at ${path} is an object of a class, which matches nothing`);
  const data = {};
  const keys = ObjectKeys(value);
  for (let index = 0; index < keys.length; index++) {
    data[keys[index]] = matcherData(value[keys[index]], path === "" ? keys[index] : `${path}.${keys[index]}`, depth + 1);
  }
  return data;
}

/** An object as one writes it down, or one without a prototype: what a matcher is made of. */
function isRecord(value) {
  if (typeof value !== "object" || value === null || ArrayIsArray(value)) return false;
  const prototype = ObjectGetPrototypeOf(value);
  return prototype === null || prototype === ObjectPrototype;
}

function isPlainObject(value) {
  return typeof value === "object" && value !== null && !ArrayIsArray(value) &&
    ObjectPrototypeToString(value) === "[object Object]";
}

let isOpen = false;

/** Opens or ends the time in which `on` may be called. */
function setOpen(open) {
  isOpen = open;
}

/** `on(pattern, [matcher], hook)`. */
function on(...args) {
  return register(new Error("on"), ...args);
}

/** The same, at the place where the error `site` was made. */
function register(site, pattern, ...rest) {
  const hook = rest.length > 1 ? rest[1] : rest[0];
  const matcher = rest.length > 1 ? rest[0] : undefined;
  const hasMatcher = matcher !== undefined;
  if (!isOpen) throw new TypeError("on() belongs into register()");
  if (typeof pattern !== "string") throw new TypeError("on() takes the name of an event first");
  if (typeof hook !== "function") throw new TypeError(`on('${pattern}') takes a function as its hook`);
  if (hasMatcher && !isRecord(matcher)) {
    throw new TypeError(`on('${pattern}') takes a plain object as its matcher`);
  }
  const data = hasMatcher ? matcherData(matcher, "", 0) : undefined;
  const index = registrations.length;
  const isGenerator = ObjectPrototypeIsPrototypeOf(GeneratorFunction, hook);
  const refused = ops.op_mg_register(index, pattern, data, isGenerator, site);
  if (refused !== undefined) throw faultError(refused);
  const registration = { index, pattern, fn: hook, isGenerator, handler: undefined };
  registrations[index] = registration;
  return ObjectFreeze({
    catch(handler) {
      if (typeof handler !== "function") throw new TypeError("catch() takes a function");
      if (!isOpen) throw new TypeError("catch() belongs into register()");
      if (registration.handler !== undefined) throw new TypeError("a registration takes one catch()");
      if (pattern === "engine.create") throw new TypeError("engine.create takes no catch()");
      registration.handler = handler;
      ops.op_mg_caught(index);
    },
  });
}

export { isPlainObject, on, register, registrations, setOpen };
