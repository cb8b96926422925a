import { describe, expect, test } from 'claude-code/testing'

const command = (command: string, args: string) => ({ command, args, origin: { kind: 'composer' }, presentation: { isFullscreen: false, columns: 80 } })
const core = (text: string) => () => ({ text })

for (const name of ['empty', 'zero', 'no', 'number']) test(`an answer that is ${name}`, async ($: any, on: any) => {
  on('command.run', core('beneath'))
  const texts: unknown[] = []
  for (const place of ['first', 'second', 'beneath']) texts.push((await $.command.run(command(name, place))).text)
  expect(texts).toEqual([undefined, 'beneath', 'HooksError'])
})

for (const isError of [false, 'x', null, undefined]) test(`isError: ${isError}`, async ($: any, on: any) => {
  on('tool.call', () => ({ result: 'r', text: 't', isError }))
  expect((await $.tool.call({ tool: 'Look' })).result[0]).toEqual(['result', 'text'])
  expect('isError' in (await $.tool.call({ tool: 'Other' }))).toBe(true)
})
test('isError: true', async ($: any, on: any) => {
  on('tool.call', () => ({ result: 'r', text: 't', isError: true }))
  expect((await $.tool.call({ tool: 'Look' })).result[0]).toContain('isError')
})

test('what a test still writes into its input at once is raised', async ($: any, on: any) => {
  on('tool.call', () => ({ result: 'r' }))
  const input = { tool: 'Look', list: [1] }
  const call = $.tool.call(input)
  input.list.push(2)
  const [, list] = (await call).result
  input.list.push(3)
  expect(list).toEqual([1, 2])
})

describe('agent.report', () => {
  const cases: [object, object][] = [
    [{ text: 'mine' }, { text: 'mine' }],
    [{ consumed: 'c', text: 'mine' }, { consumed: 'c' }],
    [{ consumed: '', text: 'mine' }, { consumed: '' }],
    [{ consumed: undefined, text: 'mine' }, { text: 'mine' }],
    [{ consumed: 5, text: 'mine' }, { text: 'beneath' }],
    [{ consumed: null, text: 'mine' }, { text: 'beneath' }],
  ]
  for (const [act, answer] of cases) test(JSON.stringify(act), async ($: any, on: any) => {
    on('agent.report', core('beneath'))
    expect(await $.agent.report({ agentId: 'a', status: 'completed', subagentType: 's', text: 'x', act })).toEqual(answer)
  })
})

describe('matchers of a class', () => {
  const pass = async ($: any, e: any, next: any) => next(e)
  const cases: Record<string, [boolean, any]> = {
    'an object without a prototype': [true, Object.assign(Object.create(null), { a: 1 })],
    'a list of values': [true, { a: [1, 2] }],
    'a frozen object': [true, Object.freeze({ a: 1 })],
    'a date': [false, { a: new Date(0) }],
    'a map in a list': [false, { a: ['x', new Map()] }],
    'a boxed text': [false, { a: new String('x') }],
    'an object that inherits': [false, Object.create({ a: 1 })],
    'an object of a class': [false, new (class { a = 1 })()],
  }
  for (const [title, [stands, matcher]] of Object.entries(cases)) test(title, async ($: any, on: any) => {
    on('tool.call', { tool: 'Other' }, () => ({ result: 'r' }))
    on('tool.describe', matcher, pass)
    let result: unknown
    try { result = (await $.tool.call({ tool: 'Other' })).result } catch (error: any) { result = error.name }
    expect(result).toBe(stands ? 'r' : 'HooksError')
  })
})

describe('engine.create', () => {
  const quiet = { name: 'quiet', register(on: any) {} }
  const maker = { name: 'maker', register(on: any) { on('engine.create', async ($: any, e: any, next: any) => next(e)) } }
  const cases: [string, any[], string[]][] = [
    ['a test alone is asked once', [quiet], ['test']],
    ['with another mod that has a say it is asked again', [quiet, maker], ['test', 'small-answers,quiet,maker,test']],
  ]
  for (const [title, plugins, asked] of cases) test(title, { plugins }, async ($: any, on: any) => {
    const seen: string[] = []
    on('engine.create', async ($: any, e: any, next: any) => { seen.push(e.plugins.join()); return next(e) })
    on('tool.call', () => ({ result: 'r' }))
    await $.tool.call({ tool: 'Other' })
    expect(seen).toEqual(asked)
  })
})
