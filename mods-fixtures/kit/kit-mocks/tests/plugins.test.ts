import { describe, expect, test, tier } from 'claude-code/testing'

tier('append')
const declaring: string[] = []
const note = (f: () => unknown) => { try { f(); declaring.push('fine') } catch (x: any) { declaring.push(x.name) } }
note(() => tier('append'))
note(() => (tier as any)('core'))
note(() => (describe as any)('no body'))
note(() => (describe as any)(5, () => {}))
note(() => describe('a throw', () => { throw new RangeError('inside') }))
note(() => (test as any)('no object', null, () => {}))
note(() => (test as any)('no list', { plugins: {} }, () => {}))
for (const timeoutMs of [0, -1, NaN, '5']) note(() => test('no time', { timeoutMs } as any, () => {}))
note(() => (test as any)('no values', { options: 5 }, () => {}))
test('what the kit says while the file loads', () => {
  expect(declaring).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'RangeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'])
})
test('and once a test runs', () => {
  const late = [() => test('late', () => {}), () => describe('late', () => {}), () => tier('user')]
  expect(late.map(f => { try { f(); return 'fine' } catch (x: any) { return x.name } })).toEqual(['TypeError', 'TypeError', 'TypeError'])
})

const text = async ($: any, command: string) => (await $.command.run({ command, args: '' })).text

// The ways in which a register may be written; each is taken as its text.
const METHOD = { name: 'p-method', register(on: any) { on('command.run', { command: 'method' }, () => ({ text: 'method' })) } }
const ASYNC = { name: 'p-async', async register(on: any) { await null; on('command.run', { command: 'async' }, () => ({ text: 'async' })) } }
const ARROW = { name: 'p-arrow', register: (on: any) => { on('command.run', { command: 'arrow' }, () => ({ text: 'arrow' })) } }
const FUNCTION = { name: 'p-function', register: function (on: any) { on('command.run', { command: 'function' }, () => ({ text: 'function' })) } }
const NAMED = { name: 'p-named', register: function setUp(on: any) { on('command.run', { command: 'named' }, () => ({ text: 'named' })) } }
test('each way to write a register', { plugins: [METHOD, ASYNC, ARROW, FUNCTION, NAMED] }, async ($: any) => {
  expect([await text($, 'method'), await text($, 'async'), await text($, 'arrow'), await text($, 'function'), await text($, 'named')]).toEqual(['method', 'async', 'arrow', 'function', 'named'])
})
const OUTER = { name: 'p-outer', tier: 'prepend' as const, register(on: any) { on('command.run', { command: 'who' }, async ($: any, e: any, next: any) => ({ text: 'outer ' + (await next(e)).text })) } }
const INNER = { name: 'p-inner', tier: 'builtin' as const, register(on: any) { on('command.run', { command: 'who' }, () => ({ text: 'inner' })) } }
test('the tiers of plugins', { plugins: [INNER, OUTER] }, async ($: any) => {
  expect(await text($, 'who')).toBe('outer inner')
})
describe('', () => {
  test('a group without a name', { timeoutMs: 500.5 }, () => { expect(1).toBe(1) })
})
test('a test without an end of time', { timeoutMs: Infinity }, () => { expect(1).toBe(1) })
