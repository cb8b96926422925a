import { expect, test } from 'claude-code/testing'

const beneath = (on: any, answer: any = { result: 'ran' }) => {
  const seen: any[] = []
  on('tool.call', ($: any, e: any) => { seen.push(e); return answer })
  return seen
}
const PASSED: Record<string, any> = { deep: { a: undefined, b: 2 }, list: [1, undefined, 3], promise: {}, weak: {}, generator: {}, getter: { h: 1 }, number: 5, text: 's', truth: false, json: { a: 1 } }
for (const [which, value] of Object.entries(PASSED)) test(`next takes what is no plain data: ${which}`, async ($: any, on: any) => {
  const seen = beneath(on)
  expect(await $.tool.call({ tool: 'Next', which })).toEqual({ result: 'ran' })
  expect(seen[0].value).toEqual(value)
})
for (const which of ['function', 'class']) test(`next leaves out a ${which}`, async ($: any, on: any) => {
  const seen = beneath(on)
  await $.tool.call({ tool: 'Next', which })
  expect('value' in seen[0]).toBe(false)
})

for (const which of ['function', 'class', 'symbol', 'deep', 'list', 'promise', 'weak', 'generator', 'getter', 'json'])
  test(`an answer that is no plain data rejects the call: ${which}`, async ($: any, on: any) => {
    beneath(on)
    await expect($.tool.call({ tool: 'Answer', which })).rejects.toThrow('result: not plain data')
  })
for (const [which, value] of [['number', 5], ['text', 's'], ['truth', false]] as any) test(`what is boxed is unboxed: ${which}`, async ($: any) => {
  expect(await $.tool.call({ tool: 'Answer', which })).toEqual({ result: value })
})

for (const which of ['symbol', 'bare', 'function', 'generator']) test(`a hook that throws is skipped, whatever it throws: ${which}`, async ($: any, on: any) => {
  beneath(on)
  expect(await $.tool.call({ tool: 'Throws', which })).toEqual({ result: 'ran' })
})

test('next.is takes a name or a pattern', async ($: any) => {
  expect(await $.tool.call({ tool: 'Is' })).toEqual({ result: [true, true, false, 'HooksError', 'HooksError', 'HooksError', 'HooksError'] })
})

const asks = async ($: any, args: number) => JSON.parse((await $.command.run({ command: 'ask', args: `${args}` })).text)
test('what $.ui.ask makes of its options', async ($: any, on: any) => {
  const seen: any[] = []
  on('tool.call', ($: any, e: any) => { seen.push(e.questions[0].options.map((one: any) => one.label)); return { result: { answers: { q: 'A' } } } })
  for (const at of [0, 1, 2]) expect(await asks($, at)).toBe('A')
  expect(seen).toEqual([['Yes', 'No'], ['Yes', 'No'], ['1', '[object Object]', '']])
  for (const at of [3, 4, 5]) expect(await asks($, at)).toBe('rejected true')
  expect(seen.length).toBe(3)
})
for (const [answer, given] of [['A', 'A'], [['A', 'B', 3], 'A, B, 3'], [[], ''], [5, 'rejected true'], [true, 'rejected true'], [null, 'rejected true']] as any)
  test(`what $.ui.ask makes of the answer ${JSON.stringify(answer)}`, async ($: any, on: any) => {
    on('tool.call', () => ({ isError: true, text: 't', result: { answers: { q: answer } } }))
    expect(await asks($, 0)).toBe(given)
  })

test('a task is described by its first words', async ($: any, on: any) => {
  const seen: any[] = []
  on('agent.spawn', ($: any, e: any) => { seen.push(e.description); return { deny: 'no' } })
  for (const prompt of ['one\n\ntwo  three\tfour five six', ' led by a blank']) await $.command.run({ command: 'spawn', args: prompt })
  expect((await $.command.run({ command: 'spawn', args: ' \n' })).text).toBe('"HooksError"')
  expect(seen).toEqual(['one two three four five', ' led by a blank'])
})
