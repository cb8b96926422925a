// Seen on the peer. `rewrites`: per field of the input, which rewrites reach what is beneath. `same`: answers that stand as they are;
// `made`: answers that stand as something else; an answer in neither leaves what is beneath. `after`: given after next.
export const EXPECTED: Record<string, any> = {
  "tool.call": {
    rewrites: {"tool": [], "tool_use_id": [], "agentId": [], "path": ["changed", "removed", "null", "other"], "added": ["changed"]},
    same: ["deny", "deny empty", "result", "error", "after deny", "after deny empty"],
    made: {},
  },
  "tool.check": {
    rewrites: {"tool": [], "input": [], "tool_use_id": [], "added": ["changed"]},
    same: ["allow", "decision deny", "after allow", "after decision deny"],
    made: {"ask": {"decision": "ask", "plugin": "event-checks"}, "after ask": {"decision": "ask", "plugin": "event-checks"}},
  },
  "tool.describe": {
    rewrites: {"tool": [], "description": ["changed"], "isDeferred": ["changed", "removed"], "provider": [], "added": ["changed"]},
    same: [],
    made: {"description": {"description": "x", "isDeferred": true}, "description empty": {"description": "", "isDeferred": true}, "described": {"description": "x", "isHidden": true, "isDeferred": true}, "after description": {"description": "x", "isDeferred": true}, "after description empty": {"description": "", "isDeferred": true}, "after described": {"description": "x", "isHidden": true, "isDeferred": true}},
  },
  "agent.offer": {
    rewrites: {"agent": [], "description": ["changed"], "source": [], "provider": [], "added": ["changed"]},
    same: ["not offered", "after not offered"],
    made: {},
  },
  "agent.spawn": {
    rewrites: {"tool_use_id": [], "prompt": ["changed"], "description": ["changed"], "subagentType": ["changed"], "provider": [], "model": ["changed", "removed"], "parentModel": [], "parentAgentId": [], "permissionMode": [], "background": ["changed"], "fork": [], "name": [], "cwd": ["removed"], "added": ["changed"]},
    same: ["deny", "deny empty", "model", "model empty", "after model", "after model empty"],
    made: {},
  },
  "prompt.submit": {
    rewrites: {"text": ["changed"], "attachments": [], "context": ["changed", "removed"], "turnId": ["changed", "removed", "null", "other"], "wait": [], "origin": [], "added": ["changed"]},
    same: ["error", "text", "text empty", "drop", "drop empty", "context", "text and unknown", "after error", "after text", "after text empty", "after context", "after text and unknown"],
    made: {},
  },
  "prompt.fill": {
    rewrites: {"text": ["changed"], "mode": [], "origin": [], "added": ["changed"]},
    same: ["filled", "after filled"],
    made: {},
  },
  "prompt.suggest": {
    rewrites: {"text": ["changed"], "origin": [], "added": ["changed"]},
    same: ["shown", "after shown"],
    made: {},
  },
  "prompt.section": {
    rewrites: {"name": [], "text": ["changed", "null"], "added": ["changed"]},
    same: ["error", "text", "text empty", "text null", "context", "context text", "context empty entry", "text and unknown", "after error", "after text", "after text empty", "after text null", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
  "prompt.context": {
    rewrites: {"blocks": [], "added": ["changed"]},
    same: ["blocks", "after blocks"],
    made: {},
  },
  "prompt.compose": {
    rewrites: {"model": [], "promptModel": ["changed"], "surfaces": ["changed"], "tools": ["changed"], "outputStyle": [], "traits": [], "added": ["changed"]},
    same: ["sections", "section session", "after sections", "after section session"],
    made: {},
  },
  "prompt.attachment": {
    rewrites: {"type": [], "text": ["changed"], "origin": [], "agentId": [], "added": ["changed"]},
    same: ["error", "text", "text empty", "text null", "context", "context text", "context empty entry", "text and unknown", "after error", "after text", "after text empty", "after text null", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
  "command.run": {
    rewrites: {"command": [], "args": ["changed"], "origin": [], "presentation": [], "added": ["changed"]},
    same: ["empty", "text", "text empty", "context", "after empty", "after text", "after text empty", "after context"],
    made: {"number": {}, "list": {}, "unknown": {}, "value": {}, "value number": {}, "value object": {}, "value null": {}, "deny": {}, "deny empty": {}, "deny number": {}, "result": {}, "isError alone": {}, "error": {"text": "x"}, "description": {}, "description empty": {}, "description null": {}, "description number": {}, "label": {}, "label empty": {}, "label null": {}, "label number": {}, "model": {}, "model empty": {}, "model null": {}, "model number": {}, "cwd": {}, "cwd empty": {}, "cwd null": {}, "cwd number": {}, "turnId": {}, "turnId empty": {}, "turnId null": {}, "turnId number": {}, "clientId": {}, "clientId empty": {}, "clientId null": {}, "clientId number": {}, "sessionId": {}, "sessionId empty": {}, "sessionId null": {}, "sessionId number": {}, "reason": {}, "reason empty": {}, "reason null": {}, "reason number": {}, "drop": {}, "drop empty": {}, "drop number": {}, "skip": {}, "skip empty": {}, "consumed": {}, "consumed empty": {}, "offered": {}, "not offered": {}, "offered text": {}, "filled": {}, "filled text": {}, "shown": {}, "allow": {}, "ask": {}, "decision deny": {}, "decision other": {}, "decision reason number": {}, "described": {}, "labelled": {}, "labelled empty": {}, "deferred text": {}, "blocks": {}, "blocks text": {}, "block bare": {}, "block twice": {}, "sections": {}, "section bare": {}, "section scope": {}, "section session": {}, "messages": {}, "messages text": {}, "message role": {}, "message bare": {}, "message whole": {}, "changed": {}, "changed text": {}, "delivered": {}, "not delivered": {}, "not delivered because": {}, "text and unknown": {"text": "x"}, "after number": {}, "after list": {}, "after unknown": {}, "after value": {}, "after value number": {}, "after value object": {}, "after value null": {}, "after deny": {}, "after deny empty": {}, "after deny number": {}, "after result": {}, "after isError alone": {}, "after error": {"text": "x"}, "after description": {}, "after description empty": {}, "after description null": {}, "after description number": {}, "after label": {}, "after label empty": {}, "after label null": {}, "after label number": {}, "after model": {}, "after model empty": {}, "after model null": {}, "after model number": {}, "after cwd": {}, "after cwd empty": {}, "after cwd null": {}, "after cwd number": {}, "after turnId": {}, "after turnId empty": {}, "after turnId null": {}, "after turnId number": {}, "after clientId": {}, "after clientId empty": {}, "after clientId null": {}, "after clientId number": {}, "after sessionId": {}, "after sessionId empty": {}, "after sessionId null": {}, "after sessionId number": {}, "after reason": {}, "after reason empty": {}, "after reason null": {}, "after reason number": {}, "after drop": {}, "after drop empty": {}, "after drop number": {}, "after skip": {}, "after skip empty": {}, "after consumed": {}, "after consumed empty": {}, "after offered": {}, "after not offered": {}, "after offered text": {}, "after filled": {}, "after filled text": {}, "after shown": {}, "after allow": {}, "after ask": {}, "after decision deny": {}, "after decision other": {}, "after decision reason number": {}, "after described": {}, "after labelled": {}, "after labelled empty": {}, "after deferred text": {}, "after blocks": {}, "after blocks text": {}, "after block bare": {}, "after block twice": {}, "after sections": {}, "after section bare": {}, "after section scope": {}, "after section session": {}, "after messages": {}, "after messages text": {}, "after message role": {}, "after message bare": {}, "after message whole": {}, "after changed": {}, "after changed text": {}, "after delivered": {}, "after not delivered": {}, "after not delivered because": {}, "after text and unknown": {"text": "x"}},
  },
  "command.describe": {
    rewrites: {"command": [], "description": ["changed"], "argumentHint": ["changed", "removed"], "isHidden": ["changed"], "immediate": [], "provider": [], "added": ["changed"]},
    same: ["described", "after described"],
    made: {},
  },
  "config.set": {
    rewrites: {"key": [], "value": ["changed", "other"], "previous": [], "provider": [], "origin": [], "added": ["changed"]},
    same: ["value", "value number", "deny", "deny empty", "after value", "after value number"],
    made: {},
  },
  "config.describe": {
    rewrites: {"key": [], "label": ["changed"], "description": ["changed", "removed"], "isHidden": ["changed"], "provider": [], "added": ["changed"]},
    same: ["labelled", "after labelled"],
    made: {},
  },
  "skill.prompt": {
    rewrites: {"skill": ["changed", "removed", "null", "other"], "text": ["changed", "removed", "null", "other"], "added": ["changed"]},
    same: ["error", "text", "text empty", "context", "context text", "context empty entry", "text and unknown", "after error", "after text", "after text empty", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
  "attribution.text": {
    rewrites: {"kind": [], "text": ["changed"], "added": ["changed"]},
    same: ["error", "text", "text empty", "context", "context text", "context empty entry", "text and unknown", "after error", "after text", "after text empty", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
  "session.start": {
    rewrites: {"cwd": ["changed"], "surface": ["changed", "removed", "null", "other"], "isInteractive": ["changed", "removed", "null", "other"], "added": ["changed"]},
    same: ["cwd", "cwd empty", "after cwd", "after cwd empty"],
    made: {},
  },
  "session.receive": {
    rewrites: {"origin": [], "text": ["changed"], "event": [], "added": ["changed"]},
    same: ["error", "text", "text empty", "consumed", "consumed empty", "context", "context text", "context empty entry", "text and unknown", "after error", "after text", "after text empty", "after consumed", "after consumed empty", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
  "session.compact": {
    rewrites: {"trigger": [], "agentId": [], "instructions": ["changed", "removed"], "messages": ["changed"], "added": ["changed"]},
    same: ["skip", "message whole", "after message whole"],
    made: {},
  },
  "session.attach": {
    rewrites: {"surface": [], "clientId": [], "viewport": [], "added": ["changed"]},
    same: ["clientId", "clientId empty", "after clientId", "after clientId empty"],
    made: {},
  },
  "session.detach": {
    rewrites: {"surface": [], "clientId": [], "reason": [], "added": ["changed"]},
    same: ["clientId", "clientId empty", "after clientId", "after clientId empty"],
    made: {},
  },
  "session.measure": {
    rewrites: {"context": [], "rateLimits": [], "cost": [], "changed": [], "added": ["changed"]},
    same: ["changed", "after changed"],
    made: {},
  },
  "session.end": {
    rewrites: {"reason": [], "sessionId": [], "resume": [], "added": ["changed"]},
    same: ["sessionId", "sessionId empty", "after sessionId", "after sessionId empty"],
    made: {},
  },
  "session.send": {
    rewrites: {"to": ["changed"], "text": ["changed"], "origin": [], "agentId": [], "added": ["changed"]},
    same: ["not delivered because", "after not delivered because"],
    made: {},
  },
  "turn.start": {
    rewrites: {"text": ["changed", "removed", "null", "other"], "turnId": ["changed"], "added": ["changed"]},
    same: ["turnId", "turnId empty", "after turnId", "after turnId empty"],
    made: {},
  },
  "turn.complete": {
    rewrites: {"answer": ["changed"], "durationMs": ["changed", "removed", "null", "other"], "isAborted": ["changed", "removed", "null", "other"], "turnId": ["changed", "removed", "null", "other"], "agentId": [], "reason": ["changed", "removed", "null", "other"], "added": ["changed"]},
    same: ["error", "text", "text empty", "context", "context text", "context empty entry", "text and unknown", "after error", "after text", "after text empty", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
  "ui.scroll": {
    rewrites: {"component": [], "requestId": [], "offset": ["changed"], "by": [], "bodyRows": [], "contentRows": [], "origin": [], "pointer": [], "added": ["changed"]},
    same: ["unknown", "value", "value number", "value object", "value null", "deny", "result", "isError alone", "error", "text", "text empty", "text null", "text number", "description", "description empty", "description null", "description number", "label", "label empty", "label null", "label number", "model", "model empty", "model null", "model number", "cwd", "cwd empty", "cwd null", "cwd number", "turnId", "turnId empty", "turnId null", "turnId number", "clientId", "clientId empty", "clientId null", "clientId number", "sessionId", "sessionId empty", "sessionId null", "sessionId number", "reason", "reason empty", "reason null", "reason number", "drop", "drop empty", "drop number", "skip", "skip empty", "consumed", "consumed empty", "offered", "not offered", "offered text", "filled", "filled text", "shown", "allow", "ask", "decision deny", "decision other", "decision reason number", "described", "labelled", "labelled empty", "deferred text", "blocks", "blocks text", "block bare", "block twice", "sections", "section bare", "section scope", "section session", "messages", "messages text", "message role", "message bare", "message whole", "changed", "changed text", "delivered", "not delivered", "not delivered because", "context", "context text", "context empty entry", "text and unknown", "after unknown", "after value", "after value number", "after value object", "after value null", "after result", "after isError alone", "after error", "after text", "after text empty", "after text null", "after text number", "after description", "after description empty", "after description null", "after description number", "after label", "after label empty", "after label null", "after label number", "after model", "after model empty", "after model null", "after model number", "after cwd", "after cwd empty", "after cwd null", "after cwd number", "after turnId", "after turnId empty", "after turnId null", "after turnId number", "after clientId", "after clientId empty", "after clientId null", "after clientId number", "after sessionId", "after sessionId empty", "after sessionId null", "after sessionId number", "after reason", "after reason empty", "after reason null", "after reason number", "after drop", "after drop empty", "after drop number", "after skip", "after skip empty", "after consumed", "after consumed empty", "after offered", "after not offered", "after offered text", "after filled", "after filled text", "after shown", "after allow", "after ask", "after decision deny", "after decision other", "after decision reason number", "after described", "after labelled", "after labelled empty", "after deferred text", "after blocks", "after blocks text", "after block bare", "after block twice", "after sections", "after section bare", "after section scope", "after section session", "after messages", "after messages text", "after message role", "after message bare", "after message whole", "after changed", "after changed text", "after delivered", "after not delivered", "after not delivered because", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
  "ui.focus": {
    rewrites: {"component": [], "requestId": [], "plugin": [], "element": ["changed"], "origin": [], "added": ["changed"]},
    same: ["unknown", "value", "value number", "value object", "value null", "deny", "result", "isError alone", "error", "text", "text empty", "text null", "text number", "description", "description empty", "description null", "description number", "label", "label empty", "label null", "label number", "model", "model empty", "model null", "model number", "cwd", "cwd empty", "cwd null", "cwd number", "turnId", "turnId empty", "turnId null", "turnId number", "clientId", "clientId empty", "clientId null", "clientId number", "sessionId", "sessionId empty", "sessionId null", "sessionId number", "reason", "reason empty", "reason null", "reason number", "drop", "drop empty", "drop number", "skip", "skip empty", "consumed", "consumed empty", "offered", "not offered", "offered text", "filled", "filled text", "shown", "allow", "ask", "decision deny", "decision other", "decision reason number", "described", "labelled", "labelled empty", "deferred text", "blocks", "blocks text", "block bare", "block twice", "sections", "section bare", "section scope", "section session", "messages", "messages text", "message role", "message bare", "message whole", "changed", "changed text", "delivered", "not delivered", "not delivered because", "context", "context text", "context empty entry", "text and unknown", "after unknown", "after value", "after value number", "after value object", "after value null", "after result", "after isError alone", "after error", "after text", "after text empty", "after text null", "after text number", "after description", "after description empty", "after description null", "after description number", "after label", "after label empty", "after label null", "after label number", "after model", "after model empty", "after model null", "after model number", "after cwd", "after cwd empty", "after cwd null", "after cwd number", "after turnId", "after turnId empty", "after turnId null", "after turnId number", "after clientId", "after clientId empty", "after clientId null", "after clientId number", "after sessionId", "after sessionId empty", "after sessionId null", "after sessionId number", "after reason", "after reason empty", "after reason null", "after reason number", "after drop", "after drop empty", "after drop number", "after skip", "after skip empty", "after consumed", "after consumed empty", "after offered", "after not offered", "after offered text", "after filled", "after filled text", "after shown", "after allow", "after ask", "after decision deny", "after decision other", "after decision reason number", "after described", "after labelled", "after labelled empty", "after deferred text", "after blocks", "after blocks text", "after block bare", "after block twice", "after sections", "after section bare", "after section scope", "after section session", "after messages", "after messages text", "after message role", "after message bare", "after message whole", "after changed", "after changed text", "after delivered", "after not delivered", "after not delivered because", "after context", "after context text", "after context empty entry", "after text and unknown"],
    made: {},
  },
}
