import { expect, test } from 'claude-code/testing'
import * as atoms from 'claude-code'

const run = async ($: any, command: string) => JSON.parse((await $.command.run({ command, args: '' })).text)

test('what the module has', () => {
  expect(Object.keys(atoms).sort()).toEqual(['atom', 'derive', 'memberOf', 'read', 'update'])
})
test('atoms', async ($: any) => {
  expect(await run($, 'atoms')).toEqual([
    [3, 2, 3, 2, 2],
    [true, true, true, ['ref', 'initial'], ['ref', 'initial', 'shape'], true],
    'bigint',
    { ref: { plugin: 'elsewhere', key: 'x' }, initial: 1 },
    { ref: { plugin: 'kit-atoms', key: 'x' }, initial: 1 },
    [['sources', 'compute'], true, 'object'],
  ])
})
test('members of a family', async ($: any) => {
  expect(await run($, 'members')).toEqual([
    { ref: { plugin: 'kit-atoms', key: 'any', id: 'a' }, initial: 0 },
    ['plugin', 'key'],
    { ref: { plugin: 'kit-atoms', key: 'shaped', id: 'a' }, initial: { a: 1 }, shape: 'v1' },
    true,
    'TypeError',
    { ref: { plugin: 'kit-atoms', key: 'any', id: 'a' }, initial: 0 },
    ['plugin', 'key'],
  ])
})
test('a value under another shape reads as never written', async ($: any) => {
  expect(await run($, 'shapes')).toEqual([
    { a: 1 }, { a: 2 }, { value: { shape: 'v1', value: { a: 2 } }, version: 1 }, { a: 2 }, { b: 2 }, { shape: 'v1', value: { a: 2 } },
    { b: 3 }, { a: 1 }, 'plain', { a: 1 }, 'plain',
    { a: 9 },
    { a: 1 },
  ])
})
test('derivations are computed again after a write, also of an equal value', async ($: any) => {
  expect(await run($, 'derived')).toEqual([
    { sum: 1 }, 1, { sum: 1 }, 1, 2, 1,
    10, 2,
    { sum: 5 }, 3, true,
    'RangeError', 'RangeError', 2,
    104, 7, 7, 3, 'undefined',
    1, 1, 3,
  ])
})
test('what a change may make', async ($: any) => {
  expect(await run($, 'values')).toEqual([
    'HooksError', 0, null, null, {}, {}, { b: [null] }, { b: [null] }, 5, {}, 'HooksError', 'HooksError', 'HooksError', 'TypeError', {},
  ])
})
test('what a change is given: the initial value frozen, a stored one not', async ($: any) => {
  expect(await run($, 'given')).toEqual([[true, true, true, false, false], { list: [{ a: 2 }, 5] }, { list: [{ a: 2 }, 5] }, false])
})
test('a write that never lands is given up', async ($: any) => {
  expect(await run($, 'lost')).toEqual(['Error', 64])
})
