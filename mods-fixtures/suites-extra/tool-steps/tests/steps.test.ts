import { expect, test } from 'claude-code/testing'

const CALL = { tool: 'Zed', path: 'p', tool_use_id: 't1' }
const ran = async ($: any) => JSON.parse((await $.command.run({ command: 'log', args: '' })).text)
const called = async ($: any, call: any) => JSON.parse((await $.command.run({ command: 'call', args: JSON.stringify(call) })).text)
const tool = (on: any, seen: any[] = []) => {
  on('tool.call', ($: any, e: any) => { seen.push(e); return { result: 'ran', context: ['of the tool'] } })
  return seen
}

test('tool.run stands between the check and the tool', async ($: any, on: any) => {
  tool(on)
  await $.tool.call(CALL)
  expect((await ran($)).map(([what, , plugin]: any) => [what, plugin])).toEqual([['check', undefined], ['run', 'engine'], ['call', ['engine']]])
})
test('whoever answers tool.run is the tool', async ($: any, on: any) => {
  on('tool.run', () => ({ result: 'from run' }))
  expect(await $.tool.call(CALL)).toEqual({ result: 'from run' })
})
test('the test hooks on tool.call stand beneath those on tool.run', async ($: any, on: any) => {
  const seen = tool(on)
  on('tool.run', ($: any, e: any, next: any) => next(e))
  expect(await $.tool.call(CALL)).toEqual({ result: 'ran', context: ['of the tool'] })
  expect(seen).toEqual([CALL])
})
test('without either there is no tool', async ($: any) => {
  await expect($.tool.call(CALL)).rejects.toThrow('no implementation for tool.call')
})
for (const [how, expected] of [
  ['run denied', { isError: true, result: 'Error: not now', text: 'not now' }],
  ['run answered', { result: 'own' }],
  ['run rewritten', { result: 'ran', context: ['of the tool'] }],
  ['run added to', { result: 'ran', context: ['of the tool'] }],
  ['run wrapped', { result: ['ran'], context: ['of the tool'] }],
] as any) test(`tool.run: ${how}`, async ($: any, on: any) => {
  const seen = tool(on)
  expect(await $.tool.call({ ...CALL, how })).toEqual(expected)
  expect(seen.every((e: any) => e.path === 'p' && e.added === undefined)).toBe(true)
})

test('a rewrite ahead of the check is what is checked and run', async ($: any, on: any) => {
  const seen = tool(on)
  await $.tool.call({ ...CALL, agentId: 'a', consent: { by: 'x' }, how: 'passes another' })
  await $.tool.call({ ...CALL, how: 'says another' })
  const checks = (await ran($)).filter(([what]: any) => what === 'check').map(([, e]: any) => e)
  expect(checks).toEqual([
    { tool: 'Zed', input: { path: 'other', how: 'passes another', more: 1 }, tool_use_id: 't1', agentId: 'a' },
    { tool: 'Zed', input: { path: 'said' }, tool_use_id: 't1' },
  ])
  expect(seen.map((e: any) => Object.keys(e).join())).toEqual(['path,how,more,tool,tool_use_id,agentId,consent', 'path,tool,tool_use_id'])
})

test('a refused call of the host has failed; a mod that calls is denied', async ($: any, on: any) => {
  tool(on)
  const record = await $.tool.call({ ...CALL, how: 'denied' })
  expect(record).toEqual({ ref: 1, result: `Error: ${record.text}`, text: expect.stringMatching(/tool-steps: because$/), isError: true })
  expect((await $.tool.call({ ...CALL, how: 'denied bare' })).text).toMatch(/tool-steps$/)
  await ran($)
  expect(await called($, { ...CALL, how: 'denied' })).toEqual({ deny: record.text })
  expect((await ran($)).at(-1)[1]).toEqual(record)
  expect(await called($, { ...CALL, how: 'another text' })).toEqual({ deny: record.text })
  expect(await called($, { ...CALL, how: 'another result' })).toEqual({ ...record, result: 'changed' })
})

test('some tools a mod does not call', async ($: any, on: any) => {
  const seen = tool(on)
  for (const name of ['Agent', 'Task', 'AskUserQuestion', 'Workflow']) expect(await called($, { tool: name, prompt: 'p' }), name).toBe('HooksError')
  expect(seen).toEqual([])
})

test('a mod that asks a person only reads', async ($: any, on: any) => {
  on('tool.call', () => ({ result: { answers: { q: 'A' } } }))
  await $.command.run({ command: 'ask', args: '' })
  await $.tool.call({ tool: 'AskUserQuestion', tool_use_id: 't' })
  expect((await ran($)).filter(([what]: any) => what === 'check').map(([, e]: any) => e.isReadOnly)).toEqual([true, undefined])
})
