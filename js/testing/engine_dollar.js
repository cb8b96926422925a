/**
 * The test's own `$`: the events that an engine raises, by namespace. It has none of the calls that mods make ($.fs,
 * $.store, …); those a test answers with `on`.
 */

import { during, hostError, HooksError, raise, raiseStream, workingDirectory } from "./host.js";
import { choose, mounter, press, typeInto } from "./mounted.js";

const EVENTS = {
  tool: ["call", "check", "judge", "run", "describe", "offer"],
  command: ["run", "describe"],
  config: ["set", "describe"],
  telemetry: ["log", "mark"],
  prompt: ["submit", "fill", "edit", "change", "autocomplete", "suggest", "section", "context", "attachment", "mention", "compose"],
  skill: ["prompt"],
  attribution: ["text"],
  vcs: ["detect", "diff", "isolate", "list", "status", "release"],
  agent: ["offer", "spawn", "report"],
  session: ["start", "receive", "append", "send", "compact", "attach", "detach", "measure", "stop", "end"],
  turn: ["start", "step", "complete"],
  ui: ["render", "scroll", "focus", "tip", "offer"],
  classic: [
    "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit", "UserPromptExpansion",
    "SessionStart", "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact",
    "PreModelSwitch", "PostModelSwitch", "PermissionRequest", "PermissionDenied", "Setup", "TeammateIdle", "TaskCreated",
    "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove",
    "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "MessageDisplay", "PreSkillShellCommand",
  ],
};

/** The id a model would have given the call. */
const mintToolUseId = () => `toolu_${crypto.randomUUID().replaceAll("-", "")}`;

/** The session of a file's tests. */
let sessionId;

/** A classic event says of which session it is, and of which kind, whatever a test gives. */
function classic(event, input) {
  const fields = typeof input === "object" && !Array.isArray(input) ? input : {};
  sessionId ??= crypto.randomUUID();
  const base = { session_id: sessionId, transcript_path: "", cwd: workingDirectory() };
  return { ...base, ...fields, hook_event_name: event.slice("classic.".length) };
}

/** Events are raised with all that they carry. */
function whole(event, input) {
  if (event.startsWith("classic.")) return classic(event, input);
  if (input === undefined) throw new HooksError(`$.${event} in a test is given what the event carries`);
  if (typeof input !== "object" || input === null) throw hostError("TypeError", `$.${event} in a test is given an object`);
  return input;
}

async function raiseWhole(event, input) {
  return raise(event, whole(event, input));
}

async function raiseToolCall(input) {
  // What is no object is a call without a tool: that is refused where its input is read.
  const call = input === undefined ? whole("tool.call", input) : input;
  return raise("tool.call", { ...call, tool_use_id: call.tool_use_id ?? mintToolUseId() });
}

/** A stream is there at once; what is wrong with the input comes with the first chunk asked of it. */
async function* raiseStep(test, input) {
  if (test.isOver) throw new HooksError("the test that this belongs to is over");
  return yield* raiseStream("turn.step", input);
}

/** Events that are not simply raised with what the test gives. */
const SPECIAL = { __proto__: null, "tool.call": raiseToolCall };

/**
 * @param {{isOver: boolean}} test
 * @returns {object} The `$` of one test, frozen like a mod's.
 */
export function engineDollar(test) {
  const nouns = Object.entries(EVENTS).map(([noun, names]) => {
    const calls = names.map((name) => {
      const event = `${noun}.${name}`;
      if (event === "turn.step") return [name, (input) => raiseStep(test, input)];
      return [name, during(test, SPECIAL[event] ?? ((input) => raiseWhole(event, input)))];
    });
    return [noun, Object.fromEntries(calls)];
  });
  const dollar = Object.fromEntries(nouns);
  const acts = { press, input: typeInto, select: choose, mount: mounter(test) };
  for (const [name, act] of Object.entries(acts)) dollar.ui[name] = during(test, act);
  for (const noun of Object.values(dollar)) Object.freeze(noun);
  return Object.freeze(dollar);
}
