/**
 * The test's own `$`: the events that an engine raises, by namespace. It has none of the calls that mods make ($.fs,
 * $.store, …); those a test answers with `on`.
 */

import { raise, raiseStream } from "./host.js";
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

function raiseToolCall(input) {
  const isUnnamed = typeof input === "object" && input !== null && input.tool_use_id === undefined;
  return raise("tool.call", isUnnamed ? { ...input, tool_use_id: mintToolUseId() } : input);
}

/** Events that are not simply raised with what the test gives. */
const SPECIAL = {
  __proto__: null,
  "tool.call": raiseToolCall,
  "turn.step": (input) => raiseStream("turn.step", input),
};

/** @returns {object} The `$` of one test, frozen like a mod's. */
export function engineDollar() {
  const nouns = Object.entries(EVENTS).map(([noun, names]) => {
    const calls = names.map((name) => {
      const event = `${noun}.${name}`;
      return [name, SPECIAL[event] ?? ((input) => raise(event, input))];
    });
    return [noun, Object.fromEntries(calls)];
  });
  const dollar = Object.fromEntries(nouns);
  Object.assign(dollar.ui, { press, input: typeInto, select: choose, mount: mounter() });
  for (const noun of Object.values(dollar)) Object.freeze(noun);
  return Object.freeze(dollar);
}
