/**
 * Drawings that a test mounts and acts on. The host draws, checks and redraws; every act ends when all that it set off
 * has come to rest.
 */

import { actError, checkAct, checkCall, isRecord, SURFACES } from "./check.js";
import { checkQuery, findIn } from "./found.js";
import { act, mount } from "./host.js";

/** Which acts there are, what each is given, and how that is told to the host. */
const ACTS = {
  press: { shape: { key: "text", "plugin?": "text", "link?": "link" } },
  input: { shape: { key: "text", text: "text", "kind?": "submit or change", "plugin?": "text" }, fill: { kind: "submit" } },
  select: { shape: { key: "text", value: "text", "plugin?": "text" } },
  key: { shape: { key: "text", "ctrl?": "true or nothing", "shift?": "true or nothing", "meta?": "true or nothing", "in?": "text" } },
  pointer: {
    shape: {
      type: "down, move, up, enter or leave", x: "number", y: "number", "button?": "left, middle or right", "fine?": "object",
      "shift?": "true or nothing", "alt?": "true or nothing", "ctrl?": "true or nothing", "in?": "text",
    },
  },
  resize: { shape: { columns: "whole size", rows: "whole size", "in?": "text" } },
};

/** Acts whose one argument is not an object of fields: its name for the host, and its kind. */
const SINGLE = {
  advance: ["ms", "size"],
  setBeneath: ["beneath", "list"],
  setWindowFocused: ["isFocused", "true or false"],
  setMotionReduced: ["isReduced", "true or false"],
};

/** Acts that reach Clients alone, and the surfaces that draw those. */
const OF_CLIENTS = ["key", "pointer", "post", "advance", "resize", "setBeneath", "setWindowFocused", "setMotionReduced"];
const WITH_CLIENTS = ["terminal", "desktop"];

/** The fields, with what stands for those that are missing or undefined. */
function filled(fields, fill = {}) {
  const missing = Object.keys(fill).filter((name) => fields[name] === undefined);
  return { ...fields, ...Object.fromEntries(missing.map((name) => [name, fill[name]])) };
}

class Drawing {
  constructor(test, id, target) {
    this.test = test;
    this.id = id;
    this.target = target;
    this.isGone = false;
  }

  /** Does one act of the host's. */
  async do(verb, args) {
    if (this.isGone) throw actError(`${verb}: this drawing was unmounted`);
    if (this.test.isOver) throw actError(`${verb}: the test that this drawing belongs to is over`);
    if (OF_CLIENTS.includes(verb) && !WITH_CLIENTS.includes(this.target.surface)) {
      throw actError(`${verb}: the surface ${this.target.surface} draws no Client that could hear of it`);
    }
    return act(this.id, verb, args);
  }

  drawn(where) {
    const inside = isRecord(where) ? where.in : undefined;
    return this.do("drawn", inside === undefined ? {} : { in: inside });
  }

  async findAll(name, query) {
    checkQuery(name, query);
    return findIn(await this.drawn({ in: query.in }), query);
  }

  async unmount() {
    await this.do("unmount", {});
    this.isGone = true;
  }

  /** The members a test uses, in the order in which a reader of the object meets them. */
  members() {
    const fromFields = (verb) => async (fields) => {
      checkAct(verb, fields, ACTS[verb].shape);
      return this.do(verb, filled(fields, ACTS[verb].fill));
    };
    const fromOne = (verb) => async (value) => {
      const [name, kind] = SINGLE[verb];
      checkAct(verb, { [name]: value }, { [name]: kind });
      return this.do(verb, { [name]: value });
    };
    return {
      surface: this.target.surface,
      drawn: (where) => this.drawn(where),
      find: async (query) => (await this.findAll("find", query))[0],
      findAll: (query) => this.findAll("findAll", query),
      press: fromFields("press"),
      input: fromFields("input"),
      select: fromFields("select"),
      key: fromFields("key"),
      pointer: fromFields("pointer"),
      post: async (data, where) => {
        checkAct("post", { data }, { data: "data" });
        return this.do("post", { data, ...(where?.in === undefined ? {} : { in: where.in }) });
      },
      advance: fromOne("advance"),
      setBeneath: fromOne("setBeneath"),
      resize: fromFields("resize"),
      setWindowFocused: fromOne("setWindowFocused"),
      setMotionReduced: fromOne("setMotionReduced"),
      redraw: async (props) => {
        checkAct("redraw", { props }, { "props?": "fields" });
        return this.do("redraw", props === undefined ? {} : { props: plain(props) });
      },
      keepsBeneath: () => this.do("keepsBeneath", {}),
      unmount: () => this.unmount(),
    };
  }
}

function checkTarget(target) {
  checkCall("$.ui.mount", target, { plugin: "text", component: "text", props: "object", "requestId?": "text", "viewport?": "object" });
  if (!SURFACES.includes(target.surface)) throw new TypeError(`$.ui.mount: surface is one of ${SURFACES.join(", ")}; there is no default`);
  if (target.viewport !== undefined) {
    checkCall("$.ui.mount: viewport", target.viewport, { columns: "size", rows: "size", "isFullscreen?": "true or false" });
  }
}

/** Props as a component is given them: as JSON, which leaves functions out. */
const plain = (props) => JSON.parse(JSON.stringify(props));

/** `$.ui.mount` of one test: without a `requestId` a drawing is named by its place among all of the test's. */
export function mounter(test) {
  let lastMount = 0;
  return async (target) => {
    checkTarget(target);
    lastMount += 1;
    const { plugin, surface, component, props, requestId = `mount-${lastMount}`, viewport } = target;
    checkAct("$.ui.mount", { props }, { props: "fields" });
    const asked = { plugin, surface, component, props: plain(props), requestId, ...(viewport === undefined ? {} : { viewport }) };
    const id = await mount(asked);
    return Object.freeze(new Drawing(test, id, asked).members());
  };
}

/** Acts on whichever drawing holds the element; without a drawing's id the host looks through all of them. */
async function anywhere(verb, fields, shape, fill) {
  checkCall(`$.ui.${verb}`, fields, { plugin: "text", key: "text", "requestId?": "text", ...shape });
  if (fields.surface !== undefined && !SURFACES.includes(fields.surface)) {
    throw new TypeError(`$.ui.${verb}: surface is one of ${SURFACES.join(", ")}`);
  }
  return act(undefined, verb, filled(fields, fill));
}

/** `$.ui.press`: a Button, or a link of a Markdown. */
export const press = (fields) => anywhere("press", fields, { "link?": "link" });

/** `$.ui.input`: typing into an Input. */
export const typeInto = (fields) => anywhere("input", fields, { text: "text", "kind?": "submit or change" }, { kind: "submit" });

/** `$.ui.select`: picking an option of a Select. */
export const choose = (fields) => anywhere("select", fields, { value: "text" });
