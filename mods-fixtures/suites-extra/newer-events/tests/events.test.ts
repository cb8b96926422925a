import { expect, test } from 'claude-code/testing'

const engine = { plugin: 'engine', tier: 'core' }
// What is raised, what is beneath; the fields that are pinned and put back where they are left out (`back`), or not (`kept`).
const EVENTS: Record<string, any> = {
  'agent.report': { e: { text: 't', agentId: 'a', parentAgentId: 'p', subagentType: 's', provider: engine, status: 'completed' }, beneath: { text: 'r' }, back: ['parentAgentId', 'provider'], kept: ['agentId', 'subagentType', 'status'] },
  'tool.offer': { e: { tool: 'Zed', provider: engine, for: 'x', agentId: 'a', subagentType: 's', note: 'n' }, beneath: { isOffered: true }, back: ['provider', 'for', 'agentId', 'subagentType'], kept: ['tool'] },
  'tool.judge': { e: { tool: 'Zed', input: {}, tool_use_id: 't', agentId: 'a', note: 'n' }, beneath: { decision: 'allow' }, back: ['tool_use_id', 'agentId'], kept: ['tool', 'input'] },
  'vcs.diff': { e: { path: '/w', vcs: 'git', base: 'b', paths: ['a'], isStatOnly: true, note: 'n' }, beneath: { base: 'b', files: [] }, back: ['path', 'vcs', 'base', 'paths', 'isStatOnly'], kept: [] },
  'vcs.list': { e: { path: '/w', note: 'n' }, beneath: [{ path: '/p', vcs: 'git' }], back: ['path'], kept: [] },
  'vcs.status': { e: { path: '/w', name: 'n', vcs: 'git', since: 's', agentId: 'a', note: 'n' }, beneath: { changes: [], unpublished: 0 }, back: ['path', 'name', 'vcs', 'since', 'agentId'], kept: [] },
  'vcs.release': { e: { path: '/w', name: 'n', vcs: 'git', agentId: 'a', isDiscard: true, reason: 'r', note: 'n' }, beneath: { isReleased: true }, back: ['path', 'name', 'vcs', 'agentId', 'isDiscard', 'reason'], kept: [] },
  'vcs.isolate': { e: { name: 'n', from: '/w', for: 'agent', agentId: 'a', parentAgentId: 'p', base: 'b', note: 'n' }, beneath: { path: '/p', vcs: 'git' }, back: ['name', 'from', 'for', 'agentId', 'parentAgentId', 'base'], kept: [] },
  'ui.offer': { e: { kind: 'k', place: 'p', id: 'i', note: 'n' }, beneath: { isShown: true }, back: ['kind', 'place', 'id'], kept: [] },
  'prompt.autocomplete': { e: { text: 't', cursor: 1, token: 't', start: 0, end: 1, note: 'n' }, beneath: { suggestions: [] }, back: ['text', 'cursor', 'token', 'start'], kept: [] },
  'prompt.change': { e: { text: 't', cursor: 1, origin: { kind: 'composer' }, note: 'n' }, beneath: { text: 't' }, back: [], kept: ['text', 'cursor', 'origin'] },
  'prompt.mention': { e: { mention: '@x', path: '/x', agentId: 'a', note: 'n' }, beneath: { type: 'file' }, back: ['mention', 'agentId'], kept: [] },
  'session.stop': { e: { isTurnRunning: true, note: 'n' }, beneath: { isTurnRunning: true }, back: [], kept: ['isTurnRunning'] },
  'tool.check': { e: { tool: 'Zed', input: {}, tool_use_id: 't', note: 'n' }, beneath: { decision: 'allow' }, back: ['tool_use_id'], kept: ['tool', 'input'] },
  'config.describe': { e: { key: 'k', label: 'l', isHidden: false, provider: engine, note: 'n' }, beneath: { label: 'l', isHidden: false }, back: ['provider'], kept: ['key'] },
}

const session = ($: any, on: any, name: string, beneath: any) => {
  let seen: any
  on(name, ($: any, e: any) => { seen = e; return beneath })
  const [noun, verb] = name.split('.')
  return async (order: any, e: any) => {
    seen = undefined
    await $.command.run({ command: 'order', args: '', order, origin: { kind: 'composer' }, presentation: { isFullscreen: false, columns: 80 } })
    return { answer: await $[noun][verb](e), seen }
  }
}

for (const [name, { e, beneath, back, kept }] of Object.entries(EVENTS)) test(`${name}: what may be rewritten`, async ($: any, on: any) => {
  const go = session($, on, name, beneath)
  for (const field of [...back, ...kept]) {
    expect((await go({ down: { [field]: 'other' } }, e)).seen, `${field} changed`).toStrictEqual(e)
    expect((await go({ blank: [field] }, e)).seen, `${field} undefined`).toStrictEqual(e)
    expect((await go({ without: [field] }, e)).seen, `${field} left out`).toEqual(e)
  }
  const { [[...back, ...kept][0]]: gone, ...rest } = e
  // What was not there is not there beneath, though a hook passes it as undefined.
  if (name !== 'config.describe') expect((await go({ blank: [[...back, ...kept][0]] }, rest)).seen).toStrictEqual(rest)
  expect((await go({ down: { added: 1 } }, e)).seen).toEqual({ ...e, added: 1 })
  if (name !== 'agent.report') expect((await go({ without: ['note'] }, e)).seen).toEqual(Object.fromEntries(Object.entries(e).filter(([key]) => key !== 'note')))
})

// Answers that stand as something (`made`), and those after which what is beneath stands.
const repository = { vcs: 'git', root: '/w', mainRoot: null, revision: null, branch: 'b', defaultBranch: null, remote: null }
const ANSWERS: Record<string, { e?: any, beneath?: any, made: [any, any][], refused: any[] }> = {
  'agent.report': { made: [[{ text: 'x', more: 1, deny: 'd' }, { text: 'x' }], [{ consumed: 'x', text: 't' }, { consumed: 'x' }]], refused: [{}, { text: 5 }] },
  'tool.judge': { made: [[{ decision: 'deny', reason: 'r', more: 1 }, { decision: 'deny', reason: 'r', plugin: 'newer-events' }], [{ decision: 'allow' }, { decision: 'allow', plugin: 'newer-events' }]], refused: [{ decision: 'ask', reason: 5 }, { deny: 'd' }] },
  'vcs.detect': {
    e: { path: '/w/in' }, beneath: { ...repository, branch: 'beneath' },
    made: [[null, null], [{ ...repository, more: 1 }, repository], [{ ...repository, mainRoot: '/m', remote: 'r' }, { ...repository, mainRoot: '/m', remote: 'r' }]],
    refused: [{ ...repository, root: '/other' }, { ...repository, root: 'w' }, { ...repository, mainRoot: 'm' }, { ...repository, vcs: 'Git Hub' }, { ...repository, revision: 'a\nb' }, { ...repository, remote: undefined }, { ...repository, branch: 5 }],
  },
  'vcs.diff': { beneath: { base: 'beneath', files: [] }, made: [[{ base: 'x', files: [], more: 1 }, { base: 'x', files: [] }]], refused: [{ base: '', files: [] }, { base: 'b', files: ['a'] }] },
  'vcs.list': { made: [[[], []]], refused: [[{ path: 'p', vcs: 'git' }]] },
  'vcs.isolate': { made: [[{ path: '/q', vcs: 'hg', more: 1 }, { path: '/q', vcs: 'hg', more: 1 }], [{ deny: 'd' }, { deny: 'd' }]], refused: [{ path: 'q', vcs: 'git' }, { path: '/q', vcs: '' }, { path: '/q', vcs: 'git', deny: 'd' }] },
  'prompt.autocomplete': { made: [[{ suggestions: [{ text: 'x', label: 'l', description: 'd' }] }, { suggestions: [{ text: 'x', label: 'l', description: 'd' }] }]], refused: [{ suggestions: ['x'] }, { suggestions: [{ text: '' }] }] },
  'prompt.mention': { made: [[{ type: null }, { type: null }], [{ type: 'pdf_reference', more: 1 }, { type: 'pdf_reference', more: 1 }], [{ deny: 'd' }, { deny: 'd' }]], refused: [{ type: 'other' }, { type: 'file', deny: 'd' }] },
  'ui.tip': {
    e: { candidates: [{ id: 'a', text: 'one' }, { id: 'b', text: 'two' }] }, beneath: { id: 'a' },
    made: [[{ id: 'b', more: 1 }, { id: 'b' }], [{ id: null }, { id: null }], [{ text: 'mine', id: 'c', label: 'l', more: 1 }, { id: 'c', text: 'mine', label: 'l' }]],
    refused: [{ id: 'c' }, { text: 'mine' }, { text: ' ', id: 'c' }, { text: 'mine', id: 'no name' }, { text: 'x'.repeat(501), id: 'c' }, { id: null, text: 'x' }],
  },
}
for (const [name, { made, refused, ...own }] of Object.entries(ANSWERS)) test(`${name}: what is an answer`, async ($: any, on: any) => {
  const { e, beneath } = { ...EVENTS[name], ...own } as any
  const go = session($, on, name, beneath)
  for (const [answer, expected] of made) expect((await go({ answer }, e)).answer, JSON.stringify(answer)).toEqual(expected)
  for (const answer of refused) expect((await go({ answer }, e)).answer, JSON.stringify(answer)).toEqual(beneath)
  expect((await go({ answer: 'keep', above: true }, e)).answer).toEqual(beneath)
})
test('vcs.isolate: a deny after next comes too late', async ($: any, on: any) => {
  const { e, beneath } = EVENTS['vcs.isolate']
  expect((await session($, on, 'vcs.isolate', beneath)({ answer: { deny: 'd' }, above: true }, e)).answer).toEqual(beneath)
})

test('ui.tip: fewer candidates, or in another order', async ($: any, on: any) => {
  const { e, beneath } = { ...ANSWERS['ui.tip'], beneath: { id: null } } as any
  const [a, b] = e.candidates
  const go = session($, on, 'ui.tip', beneath)
  for (const candidates of [[b], [b, a], []]) expect((await go({ down: { candidates, more: 1 } }, e)).seen).toStrictEqual({ candidates })
  for (const candidates of [[a, a], [a, { id: 'c', text: 'x' }], [{ ...a, text: 'x' }]]) expect((await go({ down: { candidates } }, e)).seen).toEqual(e)
})
test('prompt.mention: another path is absolute', async ($: any, on: any) => {
  const { e, beneath } = EVENTS['prompt.mention']
  const go = session($, on, 'prompt.mention', beneath)
  expect((await go({ down: { path: '/y' } }, e)).seen).toEqual({ ...e, path: '/y' })
  for (const order of [{ down: { path: 'y' } }, { without: ['path'] }]) expect((await go(order, e)).seen).toEqual(e)
})
test('prompt.fill: the mode is one of three', async ($: any, on: any) => {
  const e = { text: 't', mode: 'replace', origin: { kind: 'plugin', name: 'p' } }
  const go = session($, on, 'prompt.fill', { isFilled: true })
  expect((await go({ down: { mode: 'append' } }, e)).seen.mode).toBe('append')
  expect((await go({ without: ['mode'] }, e)).seen.mode).toBe('replace')
  for (const order of [{ down: { mode: 'other', text: 'x' } }, { blank: ['mode'], down: { text: 'x' } }]) expect((await go(order, e)).seen).toEqual(e)
})
test('blanks are no prompt and no message', async ($: any, on: any) => {
  const send = { to: 'x', text: 't', origin: { kind: 'model' } }
  const go = session($, on, 'session.send', { isDelivered: true })
  for (const down of [{ to: ' ' }, { text: '\n' }]) expect((await go({ down }, send)).seen).toEqual(send)
})

test('prompt.context: the block that shows the files, and the files', async ($: any, on: any) => {
  const files = [{ path: '/p', kind: 'user', content: 'c' }]
  const e = { blocks: [{ name: 'n', text: 't' }, { name: 'claudeMd', text: 'cm' }], instructionFiles: files }
  const go = session($, on, 'prompt.context', { ...e })
  const whole = { ...e, originMarkedPaths: undefined }
  expect((await go({ down: {} }, e)).seen).toStrictEqual(whole)
  expect((await go({ down: { instructionFiles: [] } }, e)).seen).toStrictEqual({ ...whole, blocks: [e.blocks[0], { name: 'claudeMd', text: '' }], instructionFiles: [] })
  const other = (await go({ down: { instructionFiles: [{ ...files[0], content: 'new words' }] } }, e)).seen
  expect(other.blocks[1].text).toContain('new words')
  expect((await go({ down: { blocks: [{ name: 'claudeMd', text: 'mine' }] } }, e)).seen).toStrictEqual({ ...whole, blocks: [{ name: 'claudeMd', text: 'mine' }], instructionFiles: undefined })
  expect((await go({ answer: { ...e, instructionFiles: [] } }, e)).answer.blocks[1]).toEqual({ name: 'claudeMd', text: '' })
  expect((await go({ answer: { blocks: [], instructionFiles: [] } }, { ...e, blocks: [] })).answer.blocks).toEqual([{ name: 'claudeMd', text: '' }])
  expect((await go({ answer: { ...e, blocks: [{ name: 'claudeMd', text: 'mine' }] } }, e)).answer.instructionFiles).toBe(undefined)
})
