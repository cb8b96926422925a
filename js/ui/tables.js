/**
 * Tables of elements on their way between mods: a constructor that is not the surface's own is a function of the mod
 * that put it there, and stays in that mod's isolate. In the data of a table an entry is
 *
 *   "Box"               the surface's constructor of that name
 *   ""                  a fragment, for an element that the surface lacks or a hook withheld
 *   { plugin, number }  a function of that plugin
 */

import { constructorOf, CONSTRUCTORS, fragment, nameOf, TABLE_ORDER } from "./elements.js";

/** Deeper than anything a surface draws; what holds itself ends here. */
const DEEPEST = 256;
const CALLBACKS = ["onPress", "onInput", "onSubmit", "onSelect", "onLinkPress"];

/** Whose function a constructor is, where it is another mod's. */
const owners = new WeakMap();

/**
 * What a hook on `ui.resolve` answered, as data.
 *
 * @param {unknown} answer
 * @param {(fn: Function) => {plugin: string, number: number}} give Keeps a function of this mod.
 * @returns {Record<string, unknown>}
 * @throws {Error} It is no table of constructors.
 */
export function tableData(answer, give) {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    throw new Error("returned something that is not a table of elements");
  }
  const data = {};
  for (const [name, entry] of Object.entries(Object.getOwnPropertyDescriptors(answer))) {
    if (!entry.enumerable) continue;
    if (typeof entry.value !== "function") throw new Error(`returned an entry ${JSON.stringify(name)} that is not a constructor`);
    const value = nameOf(entry.value) ?? owners.get(entry.value) ?? give(entry.value);
    Object.defineProperty(data, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return data;
}

/**
 * The table of that data, completed: a name that it lacks draws a fragment.
 *
 * @param {Record<string, unknown>} data
 * @param {(owner: {plugin: string, number: number}) => Function} borrow What calls a function of another mod.
 */
export function tableOf(data, borrow) {
  const table = { __proto__: null };
  for (const name of Object.keys(data)) table[name] = entryOf(data[name], borrow);
  for (const name of TABLE_ORDER) table[name] ??= fragment();
  return Object.freeze(table);
}

function entryOf(entry, borrow) {
  if (entry === "") return fragment();
  if (typeof entry === "string") return CONSTRUCTORS[entry];
  const styled = Object.freeze(borrow(entry));
  owners.set(styled, entry);
  return styled;
}

/**
 * The props of one call of another mod's constructor: what leaves is plain data, and the callbacks stay here until the
 * element is back. Functions cannot cross, so the other mod sees none.
 */
export class Lent {
  /** Controls among the children, by the number under which they left: whoever moves or copies one keeps it. */
  #nodes = new Map();
  /** Callbacks for elements that the other mod makes anew, by their key; each serves one element. */
  #keyed = new Map();
  #taken = new Map();

  /**
   * @param {unknown} props
   * @param {boolean} isServing Whether this is itself such a call from further above: then there are no callbacks.
   */
  constructor(props, isServing) {
    this.isServing = isServing;
    if (typeof props === "object" && props !== null && !isServing) this.#keyProps(props);
    this.data = this.#plain(props, 0);
  }

  #keyProps(props) {
    const given = CALLBACKS.filter((name) => typeof props[name] === "function");
    const key = props.key ?? props.label;
    if (typeof key === "string" && given.length > 0) {
      this.#keyed.set(key, (node) => remade(node, Object.fromEntries(given.map((name) => [name, props[name]]))));
    }
  }

  #plain(value, depth) {
    if (typeof value === "function" || typeof value === "symbol") return undefined;
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return undefined;
    if (Array.isArray(value)) return value.map((part) => this.#plain(part, depth + 1));
    const copy = {};
    for (const name of Object.keys(value)) {
      if (typeof value[name] === "function" || typeof value[name] === "symbol") continue;
      const part = name === "press" ? this.#press(value) : this.#plain(value[name], depth + 1);
      Object.defineProperty(copy, name, { value: part, enumerable: true, configurable: true, writable: true });
    }
    return copy;
  }

  /** A control's own mark. Numbers below zero are those of the mod that draws. */
  #press(node) {
    const { press } = node;
    const callback = node.onPress ?? node.onEvent;
    if (this.isServing || press?.plugin !== "" || typeof callback !== "function") return this.#plain(press, 0);
    this.#nodes.set(-press.handle, node);
    const key = node.props?.key;
    if (typeof key === "string" && !this.#keyed.has(key)) this.#keyed.set(key, (made) => (made.type === node.type ? node : undefined));
    return { plugin: "", handle: -press.handle };
  }

  /** What the other mod made of it, with the callbacks put back. */
  back(result) {
    return this.#restored(result, 0);
  }

  #restored(value, depth) {
    if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
    if (Array.isArray(value)) return Object.freeze(value.map((part) => this.#restored(part, depth + 1)));
    const copy = {};
    for (const name of Object.keys(value)) {
      const part = this.#restored(value[name], depth + 1);
      Object.defineProperty(copy, name, { value: part, enumerable: true, configurable: true, writable: true });
    }
    if (mayBeOwn(value)) {
      const own = this.#own(value);
      if (own !== undefined) Object.assign(copy, { press: own.press, ...pickCallback(own) });
    }
    return Object.freeze(copy);
  }

  /** The control of this mod that a node stands for. */
  #own(node) {
    const sent = this.#nodes.get(node.press?.handle);
    if (sent !== undefined) return sent;
    const key = node.props?.key;
    const place = `${node.press?.handle} ${key}`;
    if (!this.#taken.has(place)) {
      this.#taken.set(place, this.#keyed.get(key)?.(node));
      this.#keyed.delete(key);
    }
    return this.#taken.get(place);
  }
}

/** Whether a node is a control without a callback yet. A Markdown is one only once it has its callback back. */
function mayBeOwn(node) {
  return node.press?.plugin === "" || (node.type === "Markdown" && node.press === undefined && typeof node.props?.key === "string");
}

/** The same control built with these callbacks; nothing where the element does not take them. */
function remade(node, callbacks) {
  try {
    const made = constructorOf(node.type)?.({ ...node.props, children: node.children, ...callbacks });
    return made?.press === undefined || Object.keys(pickCallback(made)).length === 0 ? undefined : made;
  } catch {
    return undefined;
  }
}

function pickCallback(node) {
  const found = ["onPress", "onEvent"].filter((name) => typeof node[name] === "function");
  return Object.fromEntries(found.map((name) => [name, node[name]]));
}
