/** What JSX compiles to, and the parts of a drawing that the bootstrap needs. `h` and `Fragment` are globals of mods. */

import { ClientInstance, componentOf } from "./client.js";
import { clientElements, constructorOf, elements } from "./elements.js";
import { column, flatten } from "./nodes.js";
import { serialize } from "./serialize.js";
import { Lent, tableData, tableOf } from "./tables.js";

/**
 * Builds one element.
 *
 * @param {Function | string} tag A constructor of the table, a function of the mod's own, or an element's name.
 * @param {object | null} props
 * @param {...unknown} children Take the place of `props.children`, also when there are none.
 */
function h(tag, props, ...children) {
  const build = typeof tag === "string" ? constructorOf(tag) : tag;
  if (typeof build !== "function") {
    throw new Error(`<${String(tag)}> is no element: draw with those that $.ui.resolve(e) gives`);
  }
  return build({ ...props, children: flatten(children) });
}

/** Draws its children one under the other. */
function Fragment(props) {
  return column(props.children);
}

export { clientElements, ClientInstance, componentOf, elements, Fragment, h, Lent, serialize, tableData, tableOf };
