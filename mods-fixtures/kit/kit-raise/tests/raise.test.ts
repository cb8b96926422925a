import { expect, test } from 'claude-code/testing'

const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }

test('an event is raised with an object', async ($: any, on: any) => {
  on('command.run', () => ({ text: 'ran' }))
  on('classic.Stop', () => ({}))
  expect([await outcome(() => $.command.run()), await outcome(() => $.command.run(null)), await outcome(() => $.command.run(5)), await outcome(() => $.command.run('x')), await outcome(() => $.command.run({}))]).toEqual([
    'HooksError', 'TypeError', 'TypeError', 'TypeError', { text: 'ran' },
  ])
  expect([await outcome(() => $.tool.call()), await outcome(() => $.turn.start()), await outcome(() => $.ui.focus()), await outcome(() => $.ui.render())]).toEqual(['HooksError', 'HooksError', 'HooksError', 'HooksError'])
  expect([await outcome(() => $.classic.Stop()), await outcome(() => $.classic.Stop({}))]).toEqual([{}, {}])
  expect([await outcome(() => $.command.run({ command: () => 1 })), await outcome(() => $.command.run({ command: 'a', args: '' }, 'more'))]).toEqual(['HooksError', { text: 'ran' }])
})
test('wrong input rejects, it does not throw', async ($: any) => {
  const given: any = $.command.run()
  expect(given).toBeInstanceOf(Promise)
  expect(await outcome(() => given)).toBe('HooksError')
})
test('the id of a tool call: where it stands, and when it is made up', async ($: any, on: any) => {
  on('tool.call', () => ({ result: '' }))
  for (const call of [{ tool: 'Seen', a: 1 }, { tool_use_id: undefined, tool: 'Seen', a: 1 }, { tool_use_id: null, tool: 'Seen' }, { tool_use_id: '', tool: 'Seen' }]) await $.tool.call(call)
  const seen = JSON.parse((await $.command.run({ command: 'log', args: '' })).text)
  const made = expect.stringMatching(/^toolu_[0-9a-f]{32}$/)
  expect(seen).toEqual(['tool,a,tool_use_id', made, 'tool_use_id,tool,a', made, 'tool_use_id,tool', made, 'tool_use_id,tool', ''])
  expect(seen[1]).not.toBe(seen[3])
})
test('a step without input', async ($: any) => {
  const stream: any = $.turn.step()
  expect(typeof stream[Symbol.asyncIterator]).toBe('function')
  expect(await outcome(async () => { for await (const _ of stream) { /* nothing comes */ } })).toBe('HooksError')
})
test('a drawing without anything beneath is the engine\'s', async ($: any) => {
  expect(await $.ui.render({ surface: 'terminal', component: 'AssistantMessage', requestId: 'r', props: { text: 'x', isFirstOfReply: true } })).toMatchObject({ type: 'engine', ref: expect.any(Number) })
})
test('$ is frozen all the way', async ($: any) => {
  expect([Object.isFrozen($), ...Object.values($).map(noun => Object.isFrozen(noun))].every(Boolean)).toBe(true)
  expect(typeof $.ui.resolve).toBe('undefined')
})
