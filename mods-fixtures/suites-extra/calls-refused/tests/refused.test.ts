import { expect, test } from 'claude-code/testing'

const EVENTS = [
  'session.messages', 'command.register', 'tool.register', 'settings.read', 'ui.copy', 'ui.blit', 'process.run', 'http.fetch', 'fs.ancestors',
  'fs.read', 'model.complete', 'clock.sleep', 'clock.after', 'audio.play', 'ui.toast', 'ui.notice', 'vcs.list', 'state.set',
]
/** Per call: whether its event is raised, and what becomes of it. */
const CASES: Record<string, [boolean, string]> = {
  'messages: last 4096': [true, 'taken'],
  'messages: last 4097': [false, 'HooksError'],
  'messages: last 0': [false, 'HooksError'],
  'messages: last 1.5': [false, 'HooksError'],
  'messages: last as text': [false, 'HooksError'],
  'messages: after nothing': [false, 'HooksError'],
  'messages: last and after': [false, 'HooksError'],
  'messages: after as api': [false, 'HooksError'],
  'messages: last as api': [true, 'taken'],
  'command: an alias': [true, 'taken'],
  'command: its own name': [false, 'HooksError'],
  'command: an alias twice': [false, 'HooksError'],
  'command: nine aliases': [false, 'HooksError'],
  'command: an alias with a space': [false, 'HooksError'],
  'command: an alias as text': [false, 'HooksError'],
  'command: hidden as text': [false, 'HooksError'],
  'command: for terminals, null': [false, 'HooksError'],
  'tool: deferred as text': [false, 'HooksError'],
  'tool: deferred': [true, 'taken'],
  'settings: a number for the key': [false, 'HooksError'],
  'copy: no surface': [false, 'HooksError'],
  'copy: null for the surface': [false, 'HooksError'],
  'copy': [true, 'taken'],
  'send: two addresses': [false, 'HooksError'],
  'send: one address and more': [true, 'taken'],
  'blit: two pictures': [false, 'HooksError'],
  'run: no name': [false, 'HooksError'],
  'run: an empty argument': [true, 'taken'],
  'fetch: null': [false, 'TypeError'],
  'toast: null': [false, 'TypeError'],
  'ancestors: nothing': [false, 'TypeError'],
  'ancestors: no names': [false, 'HooksError'],
  'ancestors: not Markdown': [false, 'HooksError'],
  'ancestors: from above': [false, 'HooksError'],
  'ancestors: from the root': [false, 'HooksError'],
  'ancestors: in a folder': [true, 'taken'],
  'complete: a block that is not kept': [true, 'taken'],
  'complete: no system': [true, 'taken'],
  'sleep for ever': [false, 'HooksError'],
  'after for ever': [false, 'HooksError'],
  'sleep: null': [false, 'TypeError'],
  'sleep: a number': [true, 'taken'],
  'sleep: no signal': [false, 'HooksError'],
  'play: no signal': [false, 'HooksError'],
  'fetch: a signal': [true, 'taken'],
  'read: a signal': [true, 'taken'],
  'append nothing': [true, 'taken'],
  'append no notice': [true, 'HooksError'],
  'append': [true, 'taken'],
}

for (const [name, want] of Object.entries(CASES)) {
  test(name, async ($, on) => {
    let isRaised = false
    for (const event of EVENTS) on(event, () => { isRaised = true; return { value: [] } })
    on('session.send', () => { isRaised = true; return { isDelivered: true } })
    on('session.append', (_$: any, e: any, next: any) => { isRaised = true; return next(e) })
    const { text } = await $.command.run({ command: 'calls', args: name })
    expect([isRaised, text]).toEqual(want)
  })
}

/** What the hooks of an event see of a call. */
const SEEN: Record<string, [string, object]> = {
  'up': ['fs.read', { path: '/a/c', as: 'text' }],
  'above the root': ['fs.read', { path: '/', as: 'text' }],
  'two slashes': ['fs.read', { path: '/server/x', as: 'text' }],
  'headers': ['http.fetch', { url: 'https://a.example/', init: { headers: { a: 1, b: null } } }],
  'a notice of nothing': ['ui.notice', { tool_use_id: 'id', text: undefined }],
  'a model': ['model.complete', { model: 'm', maxTokens: undefined, prompt: 'p' }],
  'worktrees': ['vcs.list', { path: '/y', more: 1 }],
  'a value that says what it is': ['state.set', { plugin: 'calls-refused', key: 'k', value: 7, previous: undefined }],
}

for (const [name, [event, want]] of Object.entries(SEEN)) {
  test(`${event}: ${name}`, async ($, on) => {
    let seen: any
    on(event, (_$: any, e: any) => { seen = e; return (event === 'vcs.list' ? [] : { value: [] }) as any })
    await $.command.run({ command: 'seen', args: name })
    expect([Object.keys(seen).sort(), seen]).toEqual([Object.keys(want).sort(), want])
  })
}

test('a refusal begins with the name of the mod', async ($) => {
  const { text } = await $.command.run({ command: 'said', args: '' })
  expect(text).toStartWith('calls-refused: ')
})
test('a value that was never written is there, and undefined', async ($) => {
  const { text } = await $.command.run({ command: 'unwritten', args: '' })
  expect(JSON.parse(text!)).toEqual([['value', 'version'], 0])
})
test('a period is asked for once the function of the last has run', async ($, on) => {
  const seen: string[] = []
  on('clock.every', () => { seen.push('every'); return seen.length > 4 ? { deny: 'enough' } : { value: undefined } as any })
  on('clock.now', () => { seen.push('now'); return { value: 0 } })
  await $.command.run({ command: 'every', args: '' })
  while (seen.length < 5) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(seen).toEqual(['every', 'now', 'every', 'now', 'every'])
})
test('an agent without a model inherits one', async ($, on) => {
  on('agent.spawn', () => ({ model: 'ignored' }) as any)
  const { text } = await $.command.run({ command: 'model', args: '' })
  expect(JSON.parse(text!)).toEqual({ model: 'inherit' })
})
