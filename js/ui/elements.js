/**
 * The tables of constructors that `$.ui.resolve(e)` gives, one per surface.
 *
 * A constructor refuses what it could not put together (a missing key, children of a leaf); whether a surface draws
 * what was put together is decided on the whole tree, by the host.
 */

import { Button, Input, Markdown, Select } from "./controls.js";
import { allProps, column, flatten, hoverOf, node, pick, refuse } from "./nodes.js";

function leaf(type, props) {
  if (flatten(props.children).length > 0) throw refuse(type, props.key, "takes no children");
}

function Box(props) {
  const hover = hoverOf("Box", props);
  return node("Box", { props: allProps(props), hover, children: flatten(props.children) });
}

/** A Text has no key of its own: JSX lets one be written, and the peer leaves it out. */
function Text(props) {
  const hover = hoverOf("Text", props);
  return node("Text", { props: allProps(props, ["key"]), hover, children: flatten(props.children) });
}

function Link(props) {
  if (typeof props.href !== "string") throw refuse("Link", undefined, "has no href: the address, as text");
  if (props.label !== undefined && typeof props.label !== "string") throw refuse("Link", undefined, "takes text as its label");
  return node("Link", { props: pick(props, ["href", "label"]), children: flatten(props.children) });
}

function Code(props) {
  if (typeof props.source !== "string") throw refuse("Code", undefined, "has no source: the code, as text");
  leaf("Code", props);
  return node("Code", { props: pick(props, ["source", "language", "path", "startLine", "format", "wrap"]) });
}

function Progress(props) {
  if (typeof props.label !== "string") throw refuse("Progress", undefined, "has no label: what is being done, as text");
  leaf("Progress", props);
  return node("Progress", { props: pick(props, ["label", "value", "max", "color"]) });
}

function needKey(type, props, why) {
  if (typeof props.key !== "string" || props.key === "") throw refuse(type, undefined, `has no key: ${why}`);
}

function needCells(type, props) {
  if (!Number.isInteger(props.columns) || !Number.isInteger(props.rows)) {
    throw refuse(type, props.key, "takes whole numbers of cells as its columns and rows");
  }
}

/** The loader has already put the path from the mod's folder in the place of `module`. */
function Client(props) {
  if (typeof props.module !== "string") throw refuse("Client", props.key, "has no module: the path of a surface module");
  needKey("Client", props, "text that ui.message carries as e.element");
  leaf("Client", props);
  const drawn = pick(props, ["key", "module", "props", "width", "height", "flexGrow"]);
  return node("Client", { props: drawn, client: { plugin: "" } });
}

function Raster(props) {
  needKey("Raster", props, "text by which $.ui.blit names it");
  needCells("Raster", props);
  leaf("Raster", props);
  return node("Raster", { props: pick(props, ["key", "columns", "rows", "cells"]), raster: { plugin: "" } });
}

function Image(props) {
  if (typeof props.source !== "object" || props.source === null) throw refuse("Image", undefined, "has no source of a picture");
  needCells("Image", props);
  if (typeof props.alt !== "string") throw refuse("Image", undefined, "has no alt: text where no picture can be drawn");
  if (props.key !== undefined) needKey("Image", props, "text by which $.ui.blit names it, or no key at all");
  leaf("Image", props);
  return node("Image", { props: pick(props, ["key", "source", "columns", "rows", "alt"]), image: { plugin: "" } });
}

function Svg(props) {
  if (typeof props.source !== "string" || typeof props.alt !== "string") {
    throw refuse("Svg", undefined, "takes its source and its alt as text");
  }
  leaf("Svg", props);
  return node("Svg", { props: pick(props, ["source", "alt", "width", "height", "isInteractive"]) });
}

/** Belongs into a backdrop, which no render hook draws: every tree that holds one is refused by the host. */
function Shader(props) {
  return Object.freeze({ type: "Shader", props: allProps(props, ["children"]), children: flatten(props.children) });
}

const BUILDERS = {
  __proto__: null,
  Box, Text, Button, Input, Select, Link, Code, Markdown, Progress, Client, Raster, Image, Svg, Shader,
};

/** A constructor as a mod gets it: nameless, frozen, and content without an argument. */
export function constructor(build) {
  return Object.freeze((props) => build(Object(props ?? {})));
}

/** Every element, in the order in which a table that lacks some is completed. */
export const TABLE_ORDER = Object.freeze(Object.keys(BUILDERS));

export const CONSTRUCTORS = Object.freeze(
  Object.fromEntries(TABLE_ORDER.map((name) => [name, constructor(BUILDERS[name])])),
);

/** Empty in the snapshot: what hangs on identity is made anew in each isolate. */
const fragments = new WeakSet();

/** Whose constructor a function is: an element's name, `""` for a fragment; nothing for any other function. */
export function nameOf(fn) {
  return fragments.has(fn) ? "" : TABLE_ORDER.find((name) => CONSTRUCTORS[name] === fn);
}

/** In the place of an element that is not there: its children, one under the other. */
export function fragment() {
  const made = constructor((props) => column(props.children));
  fragments.add(made);
  return made;
}

const tables = new Map();

/**
 * The table for a surface. It has every element: one that the surface lacks draws its children in a column, so that a
 * mod may draw for every surface with one function.
 *
 * @param {string[]} offered The elements the surface draws, in the catalog's order.
 * @returns {Readonly<Record<string, (props?: object) => object>>} The same frozen table for the same names.
 */
export function elements(offered) {
  const id = offered.join();
  const known = tables.get(id);
  if (known !== undefined) return known;
  const table = { __proto__: null };
  for (const name of offered) table[name] = CONSTRUCTORS[name];
  for (const name of TABLE_ORDER) table[name] ??= fragment();
  tables.set(id, Object.freeze(table));
  return table;
}

/** What a surface module may draw with: these, and nothing in the place of others. */
const CLIENT_ELEMENTS = ["Box", "Text", "Button", "Input", "Select", "Link", "Code", "Markdown"];

/**
 * The table of a surface module.
 *
 * @param {string[]} names The elements the surface draws.
 */
export function clientElements(names) {
  const drawn = CLIENT_ELEMENTS.filter((name) => names.includes(name));
  return Object.freeze(Object.fromEntries(drawn.map((name) => [name, CONSTRUCTORS[name]])));
}

/** The constructor behind a tag that is text, where there is one. A Shader has none. */
export function constructorOf(name) {
  return name === "Shader" || !Object.hasOwn(CONSTRUCTORS, name) ? undefined : CONSTRUCTORS[name];
}
