// Tables of elements between mods: `ui.resolve`, and constructors of other mods, which are called at once although they
// live in another isolate.

import { faultError, freezeDeep, getAsyncContext, HooksError, isError, ops, primordials, setAsyncContext } from "ext:modgate/00_base.js";
import { incoming, messageOf, outgoing } from "ext:modgate/30_chain.js";
import { verbs } from "ext:modgate/45_ui.js";
import { special } from "ext:modgate/50_dollar.js";
import { elements, Lent, tableData, tableOf } from "ext:modgate/ui/main.js";

const { Error, RangeError, SafeMap, SafeWeakMap } = primordials;

/** How many constructors of other mods may wait for one another. */
const DEEPEST = 64;

/** Functions of this mod that stand in tables of others, by number. */
const given = [];
const numbers = new SafeWeakMap();
/** Tables that this mod was given, by the number of the dispatch that made them. */
const tables = new SafeMap();
/** How many constructors of this mod run for others right now. */
let serving = 0;

function ask(name, args) {
  const [isOk, value] = ops.op_mg_host(name, 0, args);
  if (!isOk) throw faultError(value);
  return value;
}

/** `$.ui.resolve(e)`: the constructors of the surface on which `e` is drawn, as the hooks on `ui.resolve` left them. */
function resolve(e) {
  const isRecord = typeof e === "object" && e !== null;
  const text = (value) => (typeof value === "string" ? value : null);
  const found = ask("ui.resolve", isRecord ? [text(e.surface), text(e.component)] : [null, null]);
  if (found.table === undefined) return elements(found.names);
  if (!tables.has(found.id)) tables.set(found.id, tableOf(found.table, borrow));
  return tables.get(found.id);
}

special["ui.resolve"] = resolve;

incoming["ui.resolve"] = (data) => tableOf(data, borrow);

outgoing["ui.resolve"] = (answer, invocation) => {
  const plugin = invocation.dollar.plugin.name;
  const give = (fn) => {
    if (!numbers.has(fn)) numbers.set(fn, given.push(fn) - 1);
    return { plugin, number: numbers.get(fn) };
  };
  try {
    return tableData(answer, give);
  } catch (error) {
    throw new HooksError(messageOf(error));
  }
};

/** What calls a constructor of another mod. */
function borrow({ plugin, number }) {
  return (props) => {
    const lent = new Lent(props, serving > 0);
    const ticket = ask("ui.style", [plugin, number, lent.data]);
    for (;;) {
      const step = ask("ui.styled", [ticket]);
      if (step.asked !== undefined) {
        serve(step.asked);
        continue;
      }
      if (step.fault !== undefined) throw faultError(step.fault);
      return lent.back(step.value);
    }
  };
}

/** Runs a constructor of this mod for another one. */
function serve({ id, number, props }) {
  const outer = getAsyncContext();
  setAsyncContext(undefined);
  serving++;
  try {
    if (serving > DEEPEST) throw new RangeError("constructors of elements call one another without end");
    const fn = given[number];
    const made = fn(freezeDeep(props));
    ask("ui.answered", [id, true, new Lent(made, true).data]);
  } catch (error) {
    ask("ui.answered", [id, false, [isError(error) ? `${error.name}` : "Error", messageOf(error)]]);
  } finally {
    serving--;
    setAsyncContext(outer);
  }
}

/** Rust says that another mod waits for a constructor of this one. */
verbs.restyle = () => {
  for (let asked = ask("ui.asked", []); asked !== undefined; asked = ask("ui.asked", [])) serve(asked);
};
