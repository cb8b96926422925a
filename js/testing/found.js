/** Looking for elements in a drawing. */

import { isRecord } from "./check.js";

/**
 * What a test gets to see of an element.
 * @typedef {{type: string, key: string | undefined, props: object, text: string, children: unknown[]}} FoundElement
 */

const isElement = (value) => isRecord(value) && typeof value.type === "string";

/** What an element shows of itself, apart from its children. A Link without a label shows its address. */
function ownText({ type, props = {}, children = [] }) {
  switch (type) {
    case "Button": return children.length === 0 ? props.label ?? "" : "";
    case "Link": return props.label ?? props.href ?? "";
    case "Input": return props.value ?? "";
    case "Markdown": return props.text ?? "";
    case "Code": return props.source ?? "";
    case "Progress": return `${props.label} ${props.value === undefined ? "Running\u2026" : `${Math.round(props.value * 100)}%`}`;
    default: return "";
  }
}

/** All the text of an element, in the order in which it is drawn. */
export function textOf(node) {
  if (typeof node === "string") return node;
  if (!isElement(node)) return "";
  return ownText(node) + (node.children ?? []).map(textOf).join("");
}

/** The pattern is copied: a global one would go on, from element to element, where it was. */
function shows(node, text) {
  return typeof text === "string" ? textOf(node).includes(text) : new RegExp(text).test(textOf(node));
}

/** An element and those in it, outermost first. */
function* walk(node) {
  if (!isElement(node)) return;
  yield node;
  for (const child of node.children ?? []) yield* walk(child);
}

/** @throws {TypeError} for a query that is none. */
export function checkQuery(name, query) {
  const isTextOrNothing = (value) => value === undefined || typeof value === "string";
  const isQuery = isRecord(query) && [query.type, query.key, query.in].every(isTextOrNothing) &&
    (isTextOrNothing(query.text) || query.text instanceof RegExp);
  if (!isQuery) throw new TypeError(`${name}({ type?, key?, text?, in? }): texts, and for text also a pattern`);
}

/**
 * @param {object} tree As drawn.
 * @param {{type?: string, key?: string, text?: string | RegExp}} query All that is given has to fit.
 * @returns {FoundElement[]} In the order of the drawing.
 */
export function findIn(tree, { type, key, text }) {
  const fits = (node) => (type === undefined || node.type === type) && (key === undefined || node.props?.key === key) &&
    (text === undefined || shows(node, text));
  return [...walk(tree)].filter(fits).map((node) => ({
    type: node.type,
    key: node.props?.key,
    props: node.props ?? {},
    text: textOf(node),
    children: node.children ?? [],
  }));
}
