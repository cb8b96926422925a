/**
 * The nodes of a drawing, as a render hook sees them: frozen plain data.
 *
 *   { type, props?, hover?, press?: { plugin, handle }, children? }
 *
 * A control also carries its callback, as a function in `onPress` (Button) or `onEvent` (Input, Select, Markdown);
 * `serialize` takes it out. `plugin` is empty until the drawing leaves the isolate.
 */

/** What a constructor says about an element that it cannot build. */
export function refuse(type, key, problem) {
  const name = typeof key === "string" && key !== "" ? `<${type} key="${key}">` : `<${type}>`;
  return new Error(`${name} ${problem}`);
}

/**
 * Children as they are kept: lists flattened; null, undefined and booleans left out; numbers as text.
 * Anything else stays as it is and is judged with the whole tree.
 */
export function flatten(children, into = []) {
  if (Array.isArray(children)) {
    for (const child of children) flatten(child, into);
  } else if (children !== null && children !== undefined && typeof children !== "boolean") {
    into.push(typeof children === "number" ? String(children) : children);
  }
  return into;
}

/** Sets an own field whatever the prototype says about that name (intrinsics are frozen). */
function setField(target, name, value) {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The props in `names` that are there, in that order. */
export function pick(props, names) {
  const picked = {};
  for (const name of names) {
    if (props[name] !== undefined) setField(picked, name, props[name]);
  }
  return picked;
}

/** JSX's own, which no element has. */
const OF_JSX = ["children", "hover", "ref"];

/**
 * Every prop but those that are fields of the node and those in `without`; null and undefined count as not given, and
 * a key is one only as text or as a number.
 */
export function allProps(props, without = []) {
  const kept = {};
  for (const name of Object.keys(props)) {
    const value = props[name];
    if (value === undefined || value === null || OF_JSX.includes(name) || without.includes(name)) continue;
    if (name !== "key") setField(kept, name, value);
    else if (typeof value === "string" || typeof value === "number") setField(kept, name, String(value));
  }
  return kept;
}

/** The style under the pointer, where one is given. */
export function hoverOf(type, props) {
  const { hover } = props;
  if (hover === undefined || hover === null) return undefined;
  if (typeof hover !== "object" || Array.isArray(hover)) {
    throw refuse(type, undefined, "takes style props as its hover, as in { borderColor: 'cyan' }");
  }
  return hover;
}

/** Puts a node together; parts that are undefined, props without a field and an empty list of children are left out. */
export function node(type, { props, hover, children, ...more }) {
  const made = { type };
  if (props !== undefined && Object.keys(props).length > 0) made.props = props;
  for (const name of Object.keys(more)) made[name] = more[name];
  if (hover !== undefined) made.hover = hover;
  if (children !== undefined && children.length > 0) made.children = Object.freeze(children);
  return sealed(made);
}

/** Frozen as far as it is ours: what a mod put into a prop stays the mod's, and is copied when the drawing leaves. */
function sealed(made) {
  if (made.props !== undefined) Object.freeze(made.props);
  return Object.freeze(made);
}

/** What a fragment, and an element that the surface lacks, draw: their children, one under the other. */
export function column(children) {
  return sealed({ type: "Box", props: { flexDirection: "column" }, children: Object.freeze(flatten(children)) });
}
