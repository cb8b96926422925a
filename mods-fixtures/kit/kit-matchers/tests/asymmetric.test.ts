import { expect, test } from 'claude-code/testing'

type Row = [boolean, () => unknown]
const holds = (f: () => unknown) => { try { f(); return true } catch (x: any) { if (x.name !== 'AssertionError') throw x; return false } }
const table = (title: string, rows: Row[]) => test(title, () => { for (const [want, f] of rows) expect(holds(f), String(f)).toBe(want) })
class P { x = 1 }

table('any', [
  [true, () => expect(() => 1).toEqual(expect.any(Function))],
  [true, () => expect('a').toEqual(expect.any(String))],
  [true, () => expect(Object('a')).toEqual(expect.any(String))],
  [true, () => expect(false).toEqual(expect.any(Boolean))],
  [true, () => expect(1n).toEqual(expect.any(BigInt))],
  [true, () => expect(Symbol('x')).toEqual(expect.any(Symbol))],
  [false, () => expect(null).toEqual(expect.any(Object))],
  [true, () => expect(() => 1).toEqual(expect.any(Object))],
  [true, () => expect('a').toEqual(expect.any(Object))],
  [false, () => expect(Object.create(null)).toEqual(expect.any(Object))],
  [true, () => expect(new P()).toEqual(expect.any(P))],
  [false, () => expect({}).toEqual({ a: expect.any(Number) })],
])
test('any of nothing', () => {
  let name = ''
  try { (expect.any as any)() } catch (x: any) { name = x.name }
  expect(name).toBe('TypeError')
})
table('anything', [
  [false, () => expect(undefined).toEqual(expect.anything())],
  [true, () => expect(0).toEqual(expect.anything())],
  [false, () => expect({}).toEqual({ a: expect.anything() })],
])
table('texts', [
  [false, () => expect(5).toEqual(expect.stringContaining('5'))],
  [true, () => expect('axb').toEqual(expect.stringMatching('x'))],
  [true, () => expect('axb').toEqual(expect.stringMatching('a.b'))],
  [false, () => expect(5).toEqual(expect.stringMatching(/5/))],
])
table('objectContaining', [
  [true, () => expect({ a: { b: 1, c: 2 } }).toEqual(expect.objectContaining({ a: { b: 1 } }))],
  [false, () => expect({}).toEqual(expect.objectContaining({ a: undefined }))],
  [true, () => expect(Object.create({ a: 1 })).toEqual(expect.objectContaining({ a: 1 }))],
  [false, () => expect(5).toEqual(expect.objectContaining({}))],
  [false, () => expect(null).toEqual(expect.objectContaining({}))],
  [false, () => expect([1]).toEqual(expect.objectContaining({ length: 1 }))],
  [true, () => expect([1]).toEqual(expect.objectContaining([1] as any))],
  [false, () => expect(() => 1).toEqual(expect.objectContaining({}))],
  [false, () => expect('abc').toEqual(expect.objectContaining({ length: 3 }))],
  [false, () => expect(new Map([['a', 1]])).toEqual(expect.objectContaining({ size: 1 }))],
  [false, () => expect({}).toEqual(expect.objectContaining(5 as any))],
  [true, () => expect(new Error('a')).toEqual(expect.objectContaining({ message: 'a' }))],
])
table('arrayContaining', [
  [true, () => expect([{ a: 1 }, 2]).toEqual(expect.arrayContaining([{ a: 1 }]))],
  [true, () => expect([1]).toEqual(expect.arrayContaining([1, 1]))],
  [false, () => expect('abc').toEqual(expect.arrayContaining(['a']))],
  [true, () => expect([1]).toEqual(expect.arrayContaining([]))],
  [false, () => expect(new Set([1])).toEqual(expect.arrayContaining([1]))],
])
table('where they may stand', [
  [false, () => expect(expect.any(Number)).toEqual(5)],
  [false, () => expect(expect.any(Number)).toEqual(expect.any(Number))],
  [true, () => expect('x').not.toEqual(expect.any(Number))],
  [false, () => expect(1).toBe(expect.any(Number))],
  [true, () => expect(new Map([[1, 2]])).toEqual(new Map([[1, expect.any(Number)]]))],
  [true, () => expect(new Set([1])).toEqual(new Set([expect.any(Number)]))],
  [false, () => expect(new Map([[1, 2]])).toEqual(new Map([[expect.any(Number), 2]]))],
  [true, () => expect({ a: [1, 2] }).toMatchObject({ a: expect.arrayContaining([2]) })],
])
test('they are frozen, and there is no expect.not', () => {
  expect(Object.isFrozen(expect.anything())).toBe(true)
  expect((expect as any).not).toBeUndefined()
})
