import { expect, mock, test } from 'claude-code/testing'

const run = async ($: any, command: string, args = '') =>
  JSON.parse((await $.command.run({ command, args, origin: { kind: 'human' }, presentation: 'text' })).text)

const plugins = [
  { name: 'passes', register(on: any) { on('tool.call', async ($: any, e: any, next: any) => next(e)) } },
  { name: 'changes', register(on: any) { on('tool.call', async ($: any, e: any, next: any) => ({ result: (await next({ ...e, command: 'changed' })).result + '!' })) } },
  { name: 'throws', register(on: any) { on('tool.call', async () => { throw new Error('no') }) } },
  { name: 'throws-late', register(on: any) { on('tool.call', async ($: any, e: any, next: any) => { await next(e); throw new Error('no') }) } },
  { name: 'catches', register(on: any) { on('tool.call', async () => { throw new Error('no') }).catch(async ($: any, e: any, next: any) => next(e)) } },
  { name: 'answers-wrongly', register(on: any) { on('tool.call', async () => 5) } },
]
const call = { tool: 'Traced', tool_use_id: 'id' }
const link = (index: number, plugin: string, outcome: string, command: string, result?: string, tier = 'user') => ({
  index, plugin, tier, event: 'tool.call', outcome, ms: expect.any(Number), received: { ...call, command }, ...(result === undefined ? {} : { returned: { result } }),
})

test('the trace tells what each link was given and gave', { plugins }, async ($: any, on: any) => {
  on('tool.call', ($: any, e: any) => ({ result: e.command }))
  await $.tool.call({ ...call, command: 'x' })
  expect(await run($, 'trace')).toEqual([[], [
    link(1, 'passes', 'returned', 'passed', 'changed!'),
    link(2, 'changes', 'returned', 'passed', 'changed!'),
    link(3, 'throws', 'skipped', 'changed'),
    link(4, 'throws-late', 'kept', 'changed', 'changed'),
    link(5, 'catches', 'caught', 'changed', 'changed'),
    link(6, 'answers-wrongly', 'skipped', 'changed'),
    link(7, 'test', 'returned', 'changed', 'changed', 'builtin'),
  ]])
})
test('a rejection shows to the host itself', { plugins: [plugins[0]] }, async ($: any) => {
  expect(await $.tool.call({ ...call, command: 'x' })).toEqual({ result: 'rejected' })
  expect((await run($, 'trace'))[1]).toEqual([
    link(1, 'passes', 'rejected', 'passed'),
    link(2, 'engine', 'rejected', 'passed', undefined, 'core'),
  ])
})
test('an error of the host is a plain error with a name of its own', async ($: any, on: any) => {
  mock.clock(on)
  on('store.get', () => ({ deny: 'no' }))
  const plain = (name: string) => [name, true, ['name'], false]
  expect(await run($, 'errors')).toEqual({
    'nobody answers': plain('HooksError'),
    'denied': plain('HooksError'),
    'refused': plain('HooksError'),
    'next without its argument': plain('HooksError'),
    'next with a changed pin': plain('HooksError'),
    'a digest': plain('NotSupportedError'),
    'a clone': plain('DataCloneError'),
    'bad text': plain('InvalidCharacterError'),
    'an aborted wait': plain('AbortError'),
  })
})
const TIMERS: Record<string, unknown[]> = {
  'in the order of their delays': [20, 21, 30],
  'of one delay in the order of creation': ['a', 'b'],
  'below one millisecond': ['1.9', '1', '0', '-5', 'NaN', 'Infinity'],
  'text for a delay': ['text', 'none'],
  'promises come between': ['a', 'promise', 'b'],
  'one clears another': ['a'],
  'arguments and this': [[1, 2], true],
  'what throws is not heard of': ['after'],
  'cleared by either name': ['number', 1],
}
for (const [title, seen] of Object.entries(TIMERS)) {
  test('timers: ' + title, async ($: any) => { expect(await run($, 'timers', title)).toEqual(seen) })
}
test('at engine.create the nouns beneath can be kept and called', async ($: any, on: any) => {
  mock.clock(on, { now: 7 })
  mock.store(on, { a: 'A' })
  const said: unknown[] = []
  on('ui.log', ($: any, e: any, next: any) => { said.push(e.text, next.origin.plugin); return { value: undefined } })
  expect(await run($, 'beneath')).toEqual([7, 'A', 'undefined', 'seen-from-within', 'A from the shelf'])
  expect(said).toEqual(['hi', 'seen-from-within'])
})
