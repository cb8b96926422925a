/**
 * A drawing on its way out of the isolate: plain data, with the callbacks kept back.
 *
 * In the data a control is `{ type, props, press: { plugin, handle } }`. Whoever acts on it asks the isolate of that
 * plugin to run `handlers.get(handle)` with the event (`ui.press`, `ui.input` or `ui.select`); which of an Input's two
 * callbacks runs, and with what, is decided here and not by the caller. Mods above get the data as it is, so a tree
 * they wrap, cut or copy keeps its controls working.
 *
 * A `press` that names another plugin is passed on as it is: only the host knows which ones `next` gave this hook, and
 * refuses one that it did not (made up, or taken over under the plugin's own name).
 */

/** Deeper than any surface draws; a tree that holds itself ends here instead of running on. */
const DEEPEST = 512;

/** The fields of a node that name its plugin. */
const OWNERS = ["press", "client", "raster", "image"];

/** Elements with a group of hovers. */
const STYLED = ["Box", "Text"];

/** Elements that are drawn with something of their plugin's, also where a mod wrote them out as data. */
const MARKED = { __proto__: null, Client: "client", Raster: "raster", Image: "image" };

/** Which callback a control needs to be one, as a person would look for it. */
const NEEDED = { __proto__: null, Button: "onPress", Input: "onSubmit", Select: "onSelect", Markdown: "onLinkPress" };

/** The error of a chain; the bootstrap's class of the same name is not within reach of this file. */
function chainError(message) {
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: "HooksError", configurable: true, writable: true });
  return error;
}

function isPlain(object) {
  const prototype = Object.getPrototypeOf(object);
  return prototype === null || prototype === Object.prototype;
}

class Writer {
  constructor(plugin) {
    this.plugin = plugin;
    this.handlers = new Map();
  }

  /** Any value of the tree; `depth` counts the values around it. */
  value(value, depth) {
    if (typeof value === "function") {
      throw chainError("a drawing holds a function where only data goes: callbacks belong into the elements that take them");
    }
    if (typeof value === "bigint") throw chainError("a drawing holds a bigint, which is not plain data");
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) throw chainError("a drawing is nested without end");
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1));
    if (!isPlain(value)) throw chainError("a drawing holds an object that is not plain data: elements, props and lists are");
    return this.object(value, depth);
  }

  object(value, depth) {
    const copy = {};
    for (const name of Object.keys(value)) {
      if (name === "onPress" || name === "onEvent") {
        // A node's own callback.
        if (value.press !== undefined && (value[name] === undefined || typeof value[name] === "function")) continue;
        // On an element that takes no callback it is a prop like any other, and the surface says that it has none.
        if (value.type === undefined && typeof value[name] === "function") {
          copy[name] = true;
          continue;
        }
      }
      const data = OWNERS.includes(name) && value[name]?.plugin === "" ? this.owned(value, name) : this.value(value[name], depth + 1);
      Object.defineProperty(copy, name, { value: data, enumerable: true, configurable: true, writable: true });
    }
    const marks = this.marks(copy);
    return marks === undefined ? copy : { ...copy, ...marks };
  }

  /** What an element says of its plugin beside its own parts: whose group of hovers it is in, who is told of presses. */
  marks(data) {
    const owner = { plugin: this.plugin };
    if (isPressed(data)) return { part: owner };
    if (typeof data.hover?.scope === "string" && STYLED.includes(data.type) && data.group === undefined) return { group: owner };
    const mark = MARKED[data.type];
    return mark !== undefined && data[mark] === undefined && data.props !== undefined ? { [mark]: owner } : undefined;
  }

  /** The part that says whose element it is: this plugin's, because nobody has filled it in yet. */
  owned(node, name) {
    if (name === "press") {
      const handler = node.onPress ?? node.onEvent;
      if (typeof handler !== "function") throw chainError(`<${node.type}> has no ${NEEDED[node.type] ?? "callback"} function`);
      this.handlers.set(node.press.handle, handler);
    }
    return { ...node[name], plugin: this.plugin };
  }
}

/**
 * @param {unknown} tree What a render hook returned. Anything is taken; whether a surface draws it is not decided here.
 * @param {string} plugin The plugin that drew it.
 * @param {{isPart?: boolean}} [options] `isPart`: whether the tree is a part of a drawing of its own, and marked as such;
 *   what a surface module draws is not.
 * @returns {{tree: unknown, handlers: Map<number, (e: object) => unknown>}}
 * @throws {Error} `HooksError` when a control has no callback, or a function or an instance of a class stands where data
 *   goes.
 */
export function serialize(tree, plugin, { isPart = true } = {}) {
  const writer = new Writer(plugin);
  const data = writer.value(tree, 0);
  return { tree: isPart ? stamped(data, plugin) : data, handlers: writer.handlers };
}

/** Text with a key and no callback: whoever presses one of its links has to know whose it is. */
function isPressed(data) {
  return data.type === "Markdown" && typeof data.props?.key === "string" && data.press === undefined && data.part === undefined;
}

/** Says whose part of the drawing begins here, on elements that are not already somebody's. */
function stamped(data, plugin) {
  if (typeof data !== "object" || data === null || data.part !== undefined || data.press !== undefined) return data;
  const isPart = data.type === "Box" || data.type === "Text";
  return isPart ? { ...data, part: { plugin } } : data;
}
