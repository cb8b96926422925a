// What each component is given when the engine draws it.
const scroll = { offset: 0, bodyRows: 10 }
export const COMPONENTS: Record<string, any> = {
  UserMessage: { text: 'hello', origin: { kind: 'person' }, isExpanded: false, task: { id: 't' }, from: { name: 'n' }, onScreen: { first: 0, last: 1, of: 2 } },
  AssistantMessage: { text: 'hello', isFirstOfReply: true, onScreen: { first: 0, last: 1, of: 2 } },
  ToolUse: { tool_use_id: 't1', tool: 'Bash', input: { command: 'ls' }, isRunning: false, isErrored: false, isInterrupted: false, output: { stdout: 'x', stderr: '' }, onScreen: null },
  ToolResult: { tool_use_id: 't1', tool: 'Unknown', output: { stdout: 'x' }, isErrored: false, onScreen: null },
  ToolGroup: { calls: [{ tool_use_id: 't1', tool: 'Bash', input: { command: 'ls' }, isRunning: false, isErrored: false, isInterrupted: false }], isActive: true, isExpanded: false, onScreen: null },
  CommandOutput: { command: 'help', args: '', text: 'out', isErrored: false, onScreen: null },
  ToolProgress: { tool_use_id: 't1', kind: 'background_hint', hint: 'wait' },
  Spinner: { word: 'Working', message: null, suffix: '…', mode: 'thinking' },
  TurnDuration: { word: 'Worked', durationMs: 5, onScreen: null },
  InfoNotice: { text: 'note', command: null, onScreen: null },
  SessionMode: { modes: ['a', 'b'] },
  PromptHint: { isDraft: false, isWorking: false, hint: 'type' },
  AbovePrompt: { glass: false, hasSurvey: false, isWorking: false, maxRows: 5, bodyColumns: 80, scroll, view: {} },
  Pane: { title: 'Pane', isFocused: false, bodyColumns: 80, placement: 'dock', scroll, view: {} },
}
