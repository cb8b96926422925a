/** Checks of what a test passes to the kit, and the errors they end in. */

import { HooksError } from "./host.js";

export const SURFACES = ["terminal", "desktop", "vscode", "mobile"];

export const isRecord = (value) => typeof value === "object" && value !== null;

const KINDS = {
  __proto__: null,
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && !Number.isNaN(value),
  size: (value) => typeof value === "number" && value >= 0,
  "true or nothing": (value) => value === true,
  "true or false": (value) => typeof value === "boolean",
  "whole size": (value) => Number.isInteger(value) && value >= 0,
  object: isRecord,
  fields: (value) => isRecord(value) && !Array.isArray(value),
  link: (value) => isRecord(value) && typeof value.href === "string",
  list: Array.isArray,
  data: (value) => value !== undefined && typeof value !== "function" && typeof value !== "symbol",
  "down, move, up, enter or leave": (value) => ["down", "move", "up", "enter", "leave"].includes(value),
  "left, middle or right": (value) => ["left", "middle", "right"].includes(value),
  "submit or change": (value) => value === "submit" || value === "change",
};

/** An act that could not be done rejects as a chain does. */
export const actError = (message) => new HooksError(message);

/**
 * @param {string} act Its name.
 * @param {object} fields What was given.
 * @param {Record<string, string>} shape Field names (with `?` at the end where they may be missing) and their kinds.
 */
export function checkAct(act, fields, shape) {
  const wrong = Object.entries(shape).flatMap(([named, kind]) => {
    const isOptional = named.endsWith("?");
    const name = isOptional ? named.slice(0, -1) : named;
    const value = isRecord(fields) ? fields[name] : undefined;
    return (isOptional && value === undefined) || KINDS[kind](value) ? [] : [`${name} is ${kind}`];
  });
  if (wrong.length > 0) throw actError(`${act}: ${wrong.join(", ")}`);
}

/** Like `checkAct`, for calls whose wrong use is the test's own mistake. */
export function checkCall(call, fields, shape) {
  try {
    checkAct(call, fields, shape);
  } catch (error) {
    throw new TypeError(error.message);
  }
}
