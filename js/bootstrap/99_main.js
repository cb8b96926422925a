// The entry of the bootstrap: what Rust may call, kept on one object that a start takes off the global object.

import { settle } from "ext:modgate/00_base.js";
import { defineGlobal } from "ext:modgate/10_web.js";
import "ext:modgate/17_rejections.js";
import { on, setOpen } from "ext:modgate/20_registry.js";
import { startClock, tick } from "ext:modgate/25_frame.js";
import { abort, expireAll, invoke } from "ext:modgate/30_chain.js";
import { closeStream, openStream, pull } from "ext:modgate/40_streams.js";
import { becomeSurface, endCallbacks, setLoaded } from "ext:modgate/45_ui.js";
import "ext:modgate/47_tables.js";
import { buildDollar } from "ext:modgate/50_dollar.js";
import { callKept, setDollar } from "ext:modgate/60_host.js";
import { finish, seal } from "ext:modgate/90_seal.js";
import { warmUp } from "ext:modgate/95_warm_up.js";
import * as ui from "ext:modgate/ui/main.js";
import { primordials, ops } from "ext:modgate/00_base.js";

const { ObjectKeys, ObjectDefineProperty, PromiseResolve, PromisePrototypeThen, TypeError, ReflectOwnKeys } = primordials;

let dollar;

/** Builds `$`; called before `register` and again when `engine.create` changed the table. A surface module has none. */
function setTable(table) {
  startClock();
  if (table === null) return becomeSurface();
  dollar = buildDollar(table);
  setDollar(dollar);
}

/** Runs `register(on, options)` of a module namespace. */
function register(call, namespace, options) {
  const done = () => {
    setOpen(false);
    ops.op_mg_returned(call, true, undefined);
  };
  const failed = (error) => {
    setOpen(false);
    ops.op_mg_returned(call, false, error);
  };
  try {
    const fn = namespace.register;
    if (typeof fn !== "function") throw new TypeError("the module exports no function named register");
    setOpen(true);
    const result = fn(on, options);
    PromisePrototypeThen(PromiseResolve(result), done, failed);
  } catch (error) {
    failed(error);
  }
}

function start() {
  delete globalThis.Deno;
  delete globalThis.__bootstrap;
  delete globalThis.__infra;
  delete globalThis.__modgate;
  finish();
}

const withDollar = (run) => (id, event, indices, matched, input, plugin, tier, budget) =>
  run(id, event, indices, matched, input, plugin, tier, budget, dollar);

ObjectDefineProperty(globalThis, "__modgate", {
  __proto__: null,
  configurable: true,
  enumerable: false,
  value: {
    __proto__: null,
    abort,
    callKept,
    closeStream,
    expireAll() {
      endCallbacks();
      expireAll();
    },
    invoke: withDollar(invoke),
    openStream: withDollar(openStream),
    pull,
    register,
    setTable,
    setLoaded,
    settle,
    start,
    tick,
  },
});

defineGlobal("h", ui.h);
defineGlobal("Fragment", ui.Fragment);
seal();
warmUp({
  closeStream,
  finish,
  invoke: withDollar(invoke),
  openStream: withDollar(openStream),
  pull,
  register,
  setTable,
  settle,
});
setTable([]);
