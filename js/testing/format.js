/** Values as text in messages: like the code that would make them. */

import { isAsymmetric } from "./marks.js";

/** What fits on a line beside a word or two. */
const WIDTH = 72;
/** Past it a message hides more than it shows. */
const LONGEST_TEXT = 4000;
const MOST_ITEMS = 400;
const DEEPEST = 12;

/**
 * @param {unknown} value
 * @returns {string} One line where that fits, else one field or item a line.
 */
export function format(value) {
  return write(value, "", []);
}

function write(value, indent, around) {
  if (isAsymmetric(value)) return value.text;
  switch (typeof value) {
    case "string": return quote(value);
    case "bigint": return `${value}n`;
    case "number": return Object.is(value, -0) ? "-0" : String(value);
    case "function": return functionText(value);
    case "object": return value === null ? "null" : writeObject(value, indent, around);
    default: return String(value);
  }
}

function quote(text) {
  if (text.length <= LONGEST_TEXT) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, LONGEST_TEXT))} and ${text.length - LONGEST_TEXT} more characters`;
}

function functionText(value) {
  const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
  return `[${kind} ${value.name || "(unnamed)"}]`;
}

function writeObject(value, indent, around) {
  if (around.includes(value)) return "[circular]";
  if (around.length >= DEEPEST) return "[…]";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Date(invalid)" : `Date(${value.toISOString()})`;
  if (value instanceof RegExp) return String(value);
  const inside = [...around, value];
  const deeper = `${indent}  `;
  const item = (part) => write(part, deeper, inside);
  if (Array.isArray(value)) return lay("", "[", listItems(value, item), "]", indent);
  if (value instanceof Set) return lay("Set ", "{", [...value].map(item), "}", indent);
  if (value instanceof Map) return lay("Map ", "{", [...value].map(([key, part]) => `${item(key)} => ${item(part)}`), "}", indent);
  const fields = Object.keys(value).map((key) => `${keyText(key)}: ${item(value[key])}`);
  if (value instanceof Error) return errorText(value) + (fields.length === 0 ? "" : ` ${lay("", "{", fields, "}", indent)}`);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return lay(className(value), "[", [...value].map(item), "]", indent);
  }
  return lay(className(value), "{", fields, "}", indent);
}

/** Holes are named: they read as undefined, and it helps to see which it is. */
function listItems(list, item) {
  return Array.from(list, (part, index) => (index in list ? item(part) : "(hole)"));
}

function keyText(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** An error in a line: what kind it is, and what it says. */
export function errorText(error) {
  return error.message === "" ? String(error.name) : `${error.name}: ${error.message}`;
}

function className(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return "(no prototype) ";
  const name = prototype === Object.prototype ? "" : prototype.constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object" ? `${name} ` : "";
}

function lay(name, open, all, close, indent) {
  const parts = all.length <= MOST_ITEMS ? all : [...all.slice(0, MOST_ITEMS), `(${all.length - MOST_ITEMS} more)`];
  if (parts.length === 0) return `${name}${open}${close}`;
  const space = open === "{" ? " " : "";
  const line = `${name}${open}${space}${parts.join(", ")}${space}${close}`;
  if (line.length + indent.length <= WIDTH && !line.includes("\n")) return line;
  return `${name}${open}\n${parts.map((part) => `${indent}  ${part},`).join("\n")}\n${indent}${close}`;
}
