import { expect, test } from 'claude-code/testing'

const ANSWERS: Record<string, unknown> = {
  'agent.spawn': { model: 'ignored', agentId: 'ignored' },
  'tool.call': { result: 'ran' },
  'prompt.fill': { isFilled: true, text: 'ignored', cursor: 7 },
  'session.send': { isDelivered: true },
  'settings.read': { value: { a: 1 } },
  'vcs.detect': null,
  'ui.focus': {},
}
const PLAIN = [
  'telemetry.log', 'telemetry.mark', 'model.complete', 'model.fork', 'ui.notify', 'ui.cancelNotify', 'ui.place', 'ui.view', 'theme.set',
  'theme.clear', 'session.redact', 'prompt.paint', 'agent.call', 'agent.limits', 'session.machine', 'process.hookEnv', 'mcp.connect', 'ui.toast',
]
const ID = expect.stringMatching(/^toolu_[0-9a-f]{32}$/)
const me = { kind: 'plugin', name: 'calls-made' }
const agent = { tool: 'Agent', prompt: 'p', description: 'p', run_in_background: true }
const row = (message: object, more: object = {}) => ({ message, door: 'note', origin: me, uuid: expect.any(String), ...more })
const text = (text: string) => ({ type: 'text', text })

/** Per call: what the event's hooks see (nothing: no event), and what the caller gets (a text: the name of its error). */
const CASES: Record<string, [object | undefined, unknown]> = {
  'spawn': [agent, { model: 'inherit' }],
  'spawn with a model': [{ ...agent, description: 'd', model: 'm', subagent_type: 's', name: 'n', cwd: '/x' }, { model: 'm' }],
  'a tool': [{ tool: 'Bash', command: 'x', tool_use_id: ID }, { result: 'ran' }],
  'a tool with an id': [{ tool: 'Bash', tool_use_id: 'mine' }, { result: 'ran' }],
  'fill': [{ text: 't', mode: 'replace', origin: me }, { isFilled: true, text: '', cursor: 0 }],
  'send to a session': [{ to: 's', text: 't', origin: me }, { isDelivered: true }],
  'send to an agent': [{ to: 'a', text: 't', origin: me }, { isDelivered: true }],
  'append for the system': [
    row({ type: 'system', content: [text('hi')] }),
    { message: { type: 'system', name: 'informational', content: [text('hi')] }, uuid: expect.any(String) },
  ],
  'append more than text': [
    row({ type: 'user', role: 'user', isMeta: true, content: [{ ...text('a'), more: 1 }] }, { agentId: 'a' }),
    { message: { type: 'user', role: 'user', isMeta: true, content: [text('a')] }, uuid: expect.any(String) },
  ],
  'append an empty text': [row({ type: 'user', role: 'user', isMeta: true, content: [text('')] }), 'HooksError'],
  'append an image': [row({ type: 'user', role: 'user', isMeta: true, content: [{ type: 'image' }] }), 'HooksError'],
  'log': [{ event: 'e', props: { a: 1 }, to: 'anthropic' }, 'undefined'],
  'log for the collector': [{ to: 'collector', event: 'e' }, 'undefined'],
  'log for nobody': [undefined, 'HooksError'],
  'log nothing': [undefined, 'HooksError'],
  'mark': [{ feature: 'f', kind: 'k', reason: 'r' }, 'undefined'],
  'settings': [{ source: 'user', layers: [] }, { a: 1 }],
  'a setting': [{ layers: [] }, 1],
  'no such setting': [{ layers: [] }, 'undefined'],
  'complete with blocks': [
    { model: 'm', prompt: 'ab', promptBlocks: [{ text: 'a' }, { text: 'b', cache: true }], system: 's', systemBlocks: [{ text: 's' }] }, 'value',
  ],
  'complete with more': [{ model: 'm', more: 1, prompt: 'p' }, 'value'],
  'complete with no text': [undefined, 'HooksError'],
  'fork with an effort': [{ prompt: 'p', effort: 'low' }, 'value'],
  'fork with an unknown effort': [undefined, 'HooksError'],
  'notify': [{ text: 'x', title: 'calls-made' }, 'value'],
  'notify with a title': [{ text: 'x', title: 't', key: 'k' }, 'value'],
  'notify with a bad key': [undefined, 'HooksError'],
  'notify with text for options': [undefined, 'HooksError'],
  'notify nothing': [{ text: '', title: 'calls-made' }, 'value'],
  'cancel': [{ key: 'a b' }, 'value'],
  'cancel with a space': [undefined, 'HooksError'],
  'cancel with what cannot be seen': [undefined, 'HooksError'],
  'place': [{ id: 'a' }, 'value'],
  'place nothing': [undefined, 'HooksError'],
  'view': [{ agentId: 'a' }, 'value'],
  'view the main conversation': [{}, 'value'],
  'view something else': [undefined, 'HooksError'],
  'theme': [{ overrideColorScheme: 'dark', colors: { text: '#fff' } }, 'value'],
  'an empty theme': [undefined, 'HooksError'],
  'a theme with more': [undefined, 'HooksError'],
  'a theme of an unknown scheme': [undefined, 'HooksError'],
  'a theme with a picture': [undefined, 'HooksError'],
  'clear the theme': [{}, 'value'],
  'redact': [{ text: 'x' }, 'value'],
  'redact nothing': [undefined, 'HooksError'],
  'paint': [{ text: 'abc', decorations: [{ start: 0, end: 1, bold: true }] }, 'value'],
  'paint nothing': [{ decorations: [] }, 'value'],
  'paint without the draft': [undefined, 'HooksError'],
  'paint half a letter': [undefined, 'HooksError'],
  'an agent calls': [{ tool: 'Bash', input: { command: 'x' }, agentId: 'a' }, 'value'],
  'an agent calls with a list': [undefined, 'HooksError'],
  'limits': [{}, 'value'],
  'machine': [{}, 'value'],
  'hook environment': [{}, 'value'],
  'connect': [expect.objectContaining({ server: 's' }), 'value'],
  'connect an object': [undefined, 'HooksError'],
  'focus': [undefined, 'HooksError'],
  'check': [undefined, 'HooksError'],
  'detect': [{ path: '/x' }, null],
  'detect a relative path': [{ path: expect.stringMatching(/^\/.*\/calls-made\/x$/) }, null],
  'detect a text': [undefined, 'HooksError'],
  'toast for long': [undefined, 'undefined'],
  'toast for a while': [{ text: 't', timeoutMs: 60000 }, 'undefined'],
}

for (const [title, [input, given]] of Object.entries(CASES)) {
  test(title, async ($: any, on: any) => {
    const seen: unknown[] = []
    for (const [event, answer] of Object.entries(ANSWERS)) on(event, ($: any, e: any) => { seen.push(e); return answer })
    for (const event of PLAIN) on(event, ($: any, e: any) => { seen.push(e); return { value: 'value' } })
    on('session.append', ($: any, e: any, next: any) => { seen.push(e); return next(e) })
    const { text } = await $.command.run({ command: 'calls', args: title, origin: { kind: 'human' }, presentation: 'text' })
    expect(seen).toEqual(input === undefined ? [] : [input])
    expect(JSON.parse(text)).toEqual(given)
  })
}
