import { expect, test } from 'claude-code/testing'

const DEFAULTS = { text: '', count: '', size: 5, flag: '', folder: '', list: '', choice: 'a' }

/** What a test gives, and what the mod reads in its place; null: it does not load. */
const CASES: [Record<string, any>, Record<string, unknown> | null][] = [
  [{}, {}],
  [{ text: undefined }, {}],
  [{ count: 1 }, { count: 1 }],
  [{ count: 10 }, { count: 10 }],
  [{ count: 0 }, null],
  [{ count: 10.5 }, null],
  [{ size: 11 }, null],
  [{ size: '5' }, null],
  [{ flag: false }, { flag: false }],
  [{ flag: 'yes' }, null],
  [{ folder: 'x' }, { folder: 'x' }],
  [{ list: [] }, { list: [] }],
  [{ list: 'a' }, { list: 'a' }],
  [{ choice: 'b' }, { choice: 'b' }],
  [{ choice: 'c' }, {}],
  [{ choice: 5 }, {}],
  [{ choice: ['b'] }, {}],
  [{ other: [] }, { other: [] }],
]
for (const [options, want] of CASES) {
  test(JSON.stringify(options), { options }, async ($) => {
    let read: any = null
    try { read = JSON.parse((await $.command.run({ command: 'options', args: '' })).text!) } catch {}
    expect(read).toEqual(want && { ...DEFAULTS, ...want })
  })
}
test('fields come in their order', { options: { flag: true, other: 1, count: 3 } }, async ($) => {
  const read = JSON.parse((await $.command.run({ command: 'options', args: '' })).text!)
  expect(Object.keys(read)).toEqual([...Object.keys(DEFAULTS), 'other'])
})
