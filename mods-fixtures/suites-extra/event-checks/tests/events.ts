// What the engine raises, and what is answered beneath.
const provider = { plugin: 'engine', tier: 'core' }
const message = { role: 'user', text: 'hello', toolUses: [] }
export const EVENTS: Record<string, [any, any]> = {
  'tool.call': [{ tool: 'Zed', tool_use_id: 't1', agentId: 'a1', path: 'x' }, { result: 'beneath', context: ['c'] }],
  'tool.check': [{ tool: 'Zed', input: { path: 'x' }, tool_use_id: 't1' }, { decision: 'allow', reason: 'r' }],
  'tool.describe': [{ tool: 'Zed', description: 'd', isDeferred: true, provider }, { description: 'beneath' }],
  'agent.offer': [{ agent: 'a', description: 'd', source: 'built-in', provider }, { isOffered: true }],
  'agent.spawn': [{ tool_use_id: 't1', prompt: 'p', description: 'd', subagentType: 's', provider, model: 'm', parentModel: 'pm', parentAgentId: 'pa', permissionMode: 'default', background: false, fork: false, name: 'n', cwd: '/x' }, { model: 'beneath', agentId: 'a1' }],
  'prompt.submit': [{ text: 't', attachments: [{ type: 'image' }], context: ['c'], turnId: 'u', wait: false, origin: { kind: 'composer' } }, { text: 'beneath', context: ['c'], origin: { kind: 'composer' } }],
  'prompt.fill': [{ text: 't', mode: 'replace', origin: { kind: 'plugin', name: 'p' } }, { isFilled: true }],
  'prompt.suggest': [{ text: 't', origin: { kind: 'suggestion' } }, { isShown: true }],
  'prompt.section': [{ name: 'n', text: 't' }, { text: 'beneath' }],
  'prompt.context': [{ blocks: [{ name: 'n', text: 't' }] }, { blocks: [{ name: 'b', text: 'beneath' }] }],
  'prompt.compose': [{ model: 'm', promptModel: 'pm', surfaces: ['terminal'], tools: ['Zed'], outputStyle: null, traits: [] }, { sections: [{ id: 's', text: 'beneath', scope: 'shared' }] }],
  'prompt.attachment': [{ type: 'file', text: 't', origin: { kind: 'engine' }, agentId: 'a1' }, { text: 'beneath' }],
  'command.run': [{ command: 'raised', args: 'x', origin: { kind: 'composer' }, presentation: { isFullscreen: false, columns: 80 } }, { text: 'beneath' }],
  'command.describe': [{ command: 'c', description: 'd', argumentHint: 'h', isHidden: false, immediate: false, provider }, { description: 'beneath', isHidden: false }],
  'config.set': [{ key: 'k', value: 'v', previous: 'p', provider, origin: { kind: 'composer' } }, { value: 'beneath' }],
  'config.describe': [{ key: 'k', label: 'l', description: 'd', isHidden: false, provider }, { label: 'beneath', isHidden: false }],
  'skill.prompt': [{ skill: 's', text: 't' }, { text: 'beneath' }],
  'attribution.text': [{ kind: 'commit', text: 't' }, { text: 'beneath' }],
  'session.start': [{ cwd: '/x', surface: 'terminal', isInteractive: true }, { cwd: '/beneath' }],
  'session.receive': [{ origin: { kind: 'bridge' }, text: 't', event: { source: 's', kind: 'k', data: {}, untrustedKeys: [] } }, { text: 'beneath' }],
  'session.compact': [{ trigger: 'manual', agentId: 'a1', instructions: 'i', messages: [message] }, { messages: [{ ...message, text: 'beneath' }] }],
  'session.attach': [{ surface: 'terminal', clientId: 'c', viewport: { columns: 80, rows: 20 } }, { clientId: 'c' }],
  'session.detach': [{ surface: 'terminal', clientId: 'c', reason: 'detach' }, { clientId: 'c' }],
  'session.measure': [{ context: { tokens: 1, window: 2, percent: 50 }, rateLimits: [], cost: { usd: 1 }, changed: ['context'] }, { changed: ['context'] }],
  'session.end': [{ reason: 'clear', sessionId: 's', resume: { id: 's' } }, { sessionId: 's' }],
  'session.send': [{ to: 'x', text: 't', origin: { kind: 'model' }, agentId: 'a1' }, { isDelivered: true }],
  'turn.start': [{ text: 't', turnId: 'u' }, { turnId: 'u' }],
  'turn.complete': [{ answer: 'a', durationMs: 5, isAborted: false, turnId: 'u', agentId: 'a1', reason: 'answer' }, { text: 'beneath' }],
  'ui.scroll': [{ component: 'Pane', requestId: 'p', offset: 1, by: 1, bodyRows: 10, contentRows: 20, origin: { kind: 'person' }, pointer: { column: 1, row: 1 } }, {}],
  'ui.focus': [{ component: 'Pane', requestId: 'p', plugin: 'event-checks', element: 'e', origin: { kind: 'person' } }, {}],
}

// Answers tried on every event: in the place of what is beneath, and after it.
const TEXTS = ['text', 'description', 'label', 'model', 'cwd', 'turnId', 'clientId', 'sessionId', 'reason']
export const ANSWERS: Record<string, any> = {
  nothing: 'nothing', null: null, number: 5, list: [], empty: {}, unknown: { unknown: 1 }, value: { value: 'x' }, 'value number': { value: 5 }, 'value object': { value: {} }, 'value null': { value: null },
  deny: { deny: 'no' }, 'deny empty': { deny: '' }, 'deny number': { deny: 5 }, result: { result: 'x' }, 'isError alone': { isError: true }, error: { isError: true, result: 'x', text: 'x' },
  ...Object.fromEntries(TEXTS.flatMap(name => [[name, { [name]: 'x' }], [name + ' empty', { [name]: '' }], [name + ' null', { [name]: null }], [name + ' number', { [name]: 5 }]])),
  drop: { drop: 'x' }, 'drop empty': { drop: '' }, 'drop number': { drop: 5 }, skip: { skip: 'x' }, 'skip empty': { skip: '' }, consumed: { consumed: 'x' }, 'consumed empty': { consumed: '' },
  offered: { isOffered: true }, 'not offered': { isOffered: false }, 'offered text': { isOffered: 'yes' }, filled: { isFilled: false }, 'filled text': { isFilled: 'no' }, shown: { isShown: false },
  allow: { decision: 'allow' }, ask: { decision: 'ask' }, 'decision deny': { decision: 'deny' }, 'decision other': { decision: 'maybe' }, 'decision reason number': { decision: 'allow', reason: 5 },
  described: { description: 'x', isHidden: true }, labelled: { label: 'x', isHidden: true }, 'labelled empty': { label: '', isHidden: true }, 'deferred text': { description: 'x', isDeferred: 'yes' },
  blocks: { blocks: [] }, 'blocks text': { blocks: 'x' }, 'block bare': { blocks: [{ name: 'n' }] }, 'block twice': { blocks: [{ name: 'n', text: 'x' }, { name: 'n', text: 'y' }] },
  sections: { sections: [] }, 'section bare': { sections: [{ id: 'a', text: 'x' }] }, 'section scope': { sections: [{ id: 'a', text: 'x', scope: 'other' }] }, 'section session': { sections: [{ id: 'a', text: 'x', scope: 'session' }] },
  messages: { messages: [] }, 'messages text': { messages: 'x' }, 'message role': { messages: [{ role: 'system', text: 'x', toolUses: [] }] }, 'message bare': { messages: [{ role: 'user', text: 'x' }] }, 'message whole': { messages: [{ role: 'user', text: 'x', toolUses: [] }] },
  changed: { changed: [] }, 'changed text': { changed: 'x' }, delivered: { isDelivered: true }, 'not delivered': { isDelivered: false }, 'not delivered because': { isDelivered: false, reason: 'x' },
  context: { text: 'x', context: ['a'] }, 'context text': { text: 'x', context: 'a' }, 'context empty entry': { text: 'x', context: [''] }, 'text and unknown': { text: 'x', unknown: 1 },
}
