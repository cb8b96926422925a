/**
 * A plugin written in a test file, as the text of a module of its own.
 *
 * It is loaded like any other mod, in an isolate where the test file's variables do not exist; so the text of its
 * `register` is all that is taken. TypeScript and JSX are compiled already when the kit gets to see it.
 */

import { HooksError } from "./host.js";

const TIERS = ["prepend", "user", "append", "builtin"];

/** What a plugin may be called: its name is also its address. */
const NAME = /^[a-z0-9][a-z0-9-]*$/;

/** Under this name the hooks of the test itself are seated. */
const TAKEN = "test";

export const isTier = (tier) => TIERS.includes(tier);

export const TIER_LIST = TIERS.join(", ");

/**
 * @typedef {{name: string, tier?: string, register: Function}} Plugin
 * @typedef {{name: string, tier: string, source: string}} PluginSource
 */

/**
 * @param {Plugin[]} plugins
 * @returns {PluginSource[]}
 * @throws {TypeError} where one is no plugin.
 */
export function pluginSources(plugins) {
  const seen = new Set();
  return plugins.map((plugin) => {
    const isPlugin = typeof plugin === "object" && plugin !== null && typeof plugin.name === "string" &&
      typeof plugin.register === "function";
    if (!isPlugin) throw new TypeError("test: each of plugins is { name, tier?, register(on) { … } }");
    const { name, tier = "user", register } = plugin;
    if (!isTier(tier)) throw new TypeError(`test: the tier of ${name} is one of ${TIER_LIST}`);
    const refuse = (why) => new HooksError(`test: ${JSON.stringify(name)} ${why}`);
    if (!NAME.test(name)) throw refuse("is no name of a plugin: lower case letters, digits and dashes");
    if (name === TAKEN) throw refuse("is the name of the test's own hooks");
    if (seen.has(name)) throw refuse("is the name of two of plugins");
    seen.add(name);
    return { name, tier, source: moduleSource(name, Function.prototype.toString.call(register)) };
  });
}

/**
 * The module that exports this function as `register`. A function, an arrow or a method may be written; without the name
 * that it had outside.
 *
 * @throws {HooksError} where it is written in a way of which no module can be made.
 */
export function moduleSource(name, text) {
  const refused = () => new HooksError(`test: the register of ${name} is written register(on) { … }, function (on) { … } or (on) => { … }`);
  if (/^class\b/.test(text)) throw refused();
  const body = arrowBody(text);
  if (body !== undefined) {
    if (!body.startsWith("{")) throw refused();
    return `export const register = ${text};\n`;
  }
  const { isAsync, isGenerator, isMethod, ownName, rest } = head(text);
  if (isGenerator || isMethod && ownName !== "register") throw refused();
  return `export ${isAsync ? "async " : ""}function register${rest}\n`;
}

/** What an arrow function does, after its parameters: a list in brackets, or one name. Undefined where it is none. */
function arrowBody(text) {
  const start = /^(?:async\b\s*)?/.exec(text)[0].length;
  const rest = text.slice(start);
  const name = /^[\w$]+(?=\s*=>)/.exec(rest);
  if (name === null && !rest.startsWith("(")) return undefined;
  const after = rest.slice(name === null ? closing(rest) + 1 : name[0].length);
  return /^\s*=>\s*([^]*)/.exec(after)?.[1];
}

/** Takes `async`, `function`, `*` and the name off the front of a function or method. */
function head(text) {
  const modifiers = /^(async\b(?!\s*\()\s*)?(function\b\s*)?(\*\s*)?/.exec(text);
  const afterModifiers = text.slice(modifiers[0].length);
  const named = nameLength(afterModifiers);
  return {
    isAsync: modifiers[1] !== undefined,
    isGenerator: modifiers[3] !== undefined,
    isMethod: modifiers[2] === undefined,
    ownName: withoutComments(afterModifiers.slice(0, named)).replace(/^(["'])(.*)\1$/, "$2"),
    rest: afterModifiers.slice(named).trimStart(),
  };
}

const withoutComments = (text) => text.replace(/\/\*[^]*?\*\//g, "").trim();

/** How much of a method's text is its name: up to the parameters. A computed or quoted name may hold brackets itself. */
function nameLength(text) {
  if (text.startsWith("[") || text.startsWith('"') || text.startsWith("'")) return closing(text) + 1;
  return text.indexOf("(");
}

const PAIRS = { __proto__: null, "(": ")", "[": "]", "{": "}" };

/** Where the bracket or quote that opens the text is closed again. */
function closing(text) {
  const waiting = [];
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (sign === '"' || sign === "'" || sign === "`") index = endOfText(text, index);
    else if (text.startsWith("//", index)) index = text.indexOf("\n", index);
    else if (text.startsWith("/*", index)) index = text.indexOf("*/", index) + 1;
    else if (PAIRS[sign] !== undefined) waiting.push(PAIRS[sign]);
    else if (sign === waiting.at(-1)) waiting.pop();
    if (waiting.length === 0) return index;
  }
  return text.length - 1;
}

function endOfText(text, start) {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === text[start]) return index;
  }
  return text.length - 1;
}
