/**
 * The elements a person can act on. Each gets a handle, a number that is unique in the isolate; the callback itself
 * stays with the node and never leaves the isolate.
 */

import { flatten, hoverOf, node, pick, refuse } from "./nodes.js";

let lastHandle = 0;

const callback = (candidate) => (typeof candidate === "function" ? candidate : undefined);

/** The part of a control that says whose callback it has. `plugin` is filled in when the drawing leaves. */
const press = () => ({ plugin: "", handle: ++lastHandle });

function needKey(type, key, event) {
  if (typeof key !== "string" || key === "") {
    throw refuse(type, undefined, `has no key: text that ${event} carries as e.element`);
  }
}

function noChildren(type, props) {
  if (flatten(props.children).length > 0) throw refuse(type, props.key, "takes no children");
}

/** Props that are text where they are given at all; null is not text. */
function textOrAbsent(type, props, names) {
  for (const name of names) {
    if (props[name] !== undefined && typeof props[name] !== "string") {
      throw refuse(type, props.key, `takes text as its ${name}`);
    }
  }
}

function trueOrAbsent(type, key, props, names) {
  for (const name of names) {
    if (props[name] !== undefined && props[name] !== null && props[name] !== true) {
      throw refuse(type, key, `takes true or nothing as its ${name}`);
    }
  }
}

function functionOrAbsent(type, props, name) {
  if (props[name] !== undefined && typeof props[name] !== "function") {
    throw refuse(type, props.key, `takes a function as its ${name}`);
  }
}

/** The text that strings and Texts show, or undefined where there is none. */
function labelOf(key, children) {
  if (children.length === 0) return undefined;
  let text = "";
  for (const child of children) {
    if (typeof child === "string") text += child;
    else if (child?.type === "Text") text += labelOf(key, child.children ?? []) ?? "";
    else throw refuse("Button", key, `holds text and Text, not ${child?.type ? `<${child.type}>` : typeof child}`);
  }
  return text;
}

/** A Button's own label, or what it holds; its key, which defaults to the label when that is one text. */
function nameOfButton(props, children) {
  const isPlainText = children.length === 1 && typeof children[0] === "string";
  const label = props.label === undefined ? labelOf(props.key, children) : props.label;
  if (typeof label !== "string") throw refuse("Button", props.key, "has no label: the prop, or text and Text inside it");
  const isOneText = props.label !== undefined || isPlainText;
  const key = isOneText ? props.key ?? label : props.key;
  return { key, label, isLabelOnly: props.label === undefined && isPlainText };
}

export function Button(props) {
  const children = flatten(props.children);
  const { key, label, isLabelOnly } = nameOfButton(props, children);
  const hover = hoverOf("Button", props);
  needKey("Button", key, "ui.press");
  if (props.hotkey !== undefined && !(typeof props.hotkey === "string" && /^[0-9a-z]$/.test(props.hotkey))) {
    throw refuse("Button", key, "takes one digit or one lowercase letter as its hotkey");
  }
  trueOrAbsent("Button", key, props, ["plain", "autoFocus"]);
  const more = pick(props, ["hotkey", "action", "plain", "dimColor", "variant", "role", "autoFocus"]);
  return node("Button", {
    props: { key, label, ...more },
    press: press(),
    onPress: callback(props.onPress),
    hover,
    children: isLabelOnly ? [] : children,
  });
}

export function Input(props) {
  needKey("Input", props.key, "ui.input");
  noChildren("Input", props);
  textOrAbsent("Input", props, ["label", "placeholder", "value", "submitLabel"]);
  trueOrAbsent("Input", props.key, props, ["autoFocus"]);
  functionOrAbsent("Input", props, "onInput");
  const { onInput } = props;
  const onSubmit = callback(props.onSubmit);
  return node("Input", {
    props: pick(props, ["key", "label", "placeholder", "value", "submitLabel", "autoFocus"]),
    press: press(),
    onEvent: onSubmit && ((e) => (e.kind === "change" ? onInput?.(e.value, e) : onSubmit(e.value, e))),
  });
}

function optionOf(key, option) {
  const isOption = typeof option === "object" && option !== null && typeof option.value === "string" &&
    (option.label === undefined || typeof option.label === "string");
  if (!isOption) throw refuse("Select", key, "has options of { value, label? }, both text");
  return pick(option, ["value", "label"]);
}

export function Select(props) {
  const { key, options } = props;
  needKey("Select", key, "ui.select");
  if (!Array.isArray(options) || options.length === 0) throw refuse("Select", key, "has no options: a list of at least one");
  const listed = options.map((option) => optionOf(key, option));
  noChildren("Select", props);
  textOrAbsent("Select", props, ["label", "value"]);
  trueOrAbsent("Select", key, props, ["autoFocus"]);
  const onSelect = callback(props.onSelect);
  return node("Select", {
    props: { key, options: listed, ...pick(props, ["label", "value", "autoFocus"]) },
    press: press(),
    onEvent: onSelect && ((e) => onSelect(e.value, e)),
  });
}

function isListOfLinks(links) {
  return Array.isArray(links) && links.every((link) => typeof link === "string" && link !== "");
}

export function Markdown(props) {
  const { key, text, onLinkPress, pressableLinks } = props;
  if (typeof text !== "string") throw refuse("Markdown", key, "has no text to draw");
  noChildren("Markdown", props);
  functionOrAbsent("Markdown", props, "onLinkPress");
  if (key !== undefined && (typeof key !== "string" || key === "")) {
    throw refuse("Markdown", undefined, "takes text of at least one character as its key");
  }
  const isPressable = onLinkPress !== undefined || pressableLinks !== undefined;
  if (isPressable) needKey("Markdown", key, "ui.press");
  if (pressableLinks !== undefined && !isListOfLinks(pressableLinks)) {
    throw refuse("Markdown", key, "takes a list of addresses as its pressableLinks");
  }
  const drawn = pick(props, ["text", "key", "dimColor", "pressableLinks"]);
  if (!isPressable) return node("Markdown", { props: drawn });
  return node("Markdown", {
    props: drawn,
    press: press(),
    onEvent: callback(onLinkPress) && ((e) => onLinkPress(e.link, e)),
  });
}
