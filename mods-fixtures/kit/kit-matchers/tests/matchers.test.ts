import { expect, test } from 'claude-code/testing'

// Each row: whether the expectation holds, and the expectation. A row that does not hold has to be an AssertionError.
type Row = [boolean, () => unknown]
const holds = (f: () => unknown) => { try { f(); return true } catch (x: any) { if (x.name !== 'AssertionError') throw x; return false } }
const table = (title: string, rows: Row[]) => test(title, () => { for (const [want, f] of rows) expect(holds(f), String(f)).toBe(want) })

const circle = () => { const a: any = { n: 1 }; a.self = a; return a }
const tagged = Symbol('tag')
class P { x = 1 }
class Q { x = 1 }
class L extends Array {}
const named = (error: any, name: string) => { error.name = name; return error }
const coded = (error: any, code: number) => { error.code = code; return error }
const list = (items: any[], more: object) => Object.assign(items, more)

table('toEqual: objects and prototypes', [
  [true, () => expect(new P()).toEqual(new Q())],
  [true, () => expect(Object.assign(Object.create(null), { a: 1 })).toEqual({ a: 1 })],
  [false, () => expect(Object.create({ a: 1 })).toEqual({ a: 1 })],
  [true, () => expect(Object.create({ a: 1 })).toEqual({})],
  [true, () => expect({ get a() { return 1 } }).toEqual({ a: 1 })],
  [true, () => expect(Object.defineProperty({}, 'a', { value: 1 })).toEqual({})],
  [true, () => expect(new Proxy({ a: 1 }, {})).toEqual({ a: 1 })],
  [true, () => expect({}).toEqual({ a: undefined })],
  [true, () => expect({ [tagged]: 1 }).toEqual({ [tagged]: 2 })],
  [true, () => expect({ [tagged]: 1 }).toEqual({})],
])
table('toEqual: lists', [
  [false, () => expect([1]).toEqual({ 0: 1 })],
  [false, () => expect([]).toEqual({})],
  [false, () => expect([]).toEqual({ length: 0 })],
  [false, () => expect({ length: 0 }).toEqual([])],
  [true, () => expect(list([1], { x: 1 })).toEqual([1])],
  [true, () => expect(list([1], { x: 1 })).toStrictEqual([1])],
  [true, () => expect([, 1]).toStrictEqual([undefined, 1])],
  [true, () => expect([undefined]).toStrictEqual([,])],
  [false, () => expect([1, 2, 3]).toEqual([1, 2, 3, undefined])],
  [false, () => expect([undefined]).toEqual([null])],
  [true, () => expect(L.from([1])).toEqual([1])],
  [false, () => expect(L.from([1])).toStrictEqual([1])],
  [true, () => expect(Object.freeze([1])).toStrictEqual([1])],
  [false, () => (function (..._: any[]) { expect(arguments).toEqual([1]) })(1)],
])
table('toEqual: Map and Set', [
  [false, () => expect(new Map([[{ a: 1 }, 1]])).toEqual(new Map([[{ a: 1 }, 1]]))],
  [true, () => expect(new Map([[1, 1], [2, 2]])).toEqual(new Map([[2, 2], [1, 1]]))],
  [false, () => expect(new Map([[1, undefined]])).toEqual(new Map())],
  [true, () => expect(new Map([[NaN, 1]])).toEqual(new Map([[NaN, 1]]))],
  [true, () => expect(new Map([[1, { a: undefined }]])).toEqual(new Map([[1, {}]]))],
  [false, () => expect(new Map([[1, { a: undefined }]])).toStrictEqual(new Map([[1, {}]]))],
  [false, () => expect(new Map()).toEqual({})],
  [false, () => expect(new Map()).toEqual(new Set())],
  [false, () => expect(new Set([1])).toEqual([1])],
  [true, () => expect(new Set([{ a: 1 }, { b: 1 }])).toEqual(new Set([{ b: 1 }, { a: 1 }]))],
  [false, () => expect(new Set([{ a: 1 }, { a: 1 }])).toEqual(new Set([{ a: 1 }, { b: 1 }]))],
  [true, () => expect(new Set([{ a: 1 }, { b: 1 }])).toEqual(new Set([{ a: 1 }, { a: 1 }]))],
  [false, () => expect(new Set([{ a: undefined }])).toStrictEqual(new Set([{}]))],
  [true, () => expect(new (class extends Map {})()).toEqual(new Map())],
])
table('toEqual: circles', [
  [true, () => expect(circle()).toEqual(circle())],
  [true, () => { const b: any = { n: 1, self: { n: 1 } }; b.self.self = b; expect(circle()).toEqual(b) }],
  [false, () => expect(circle()).toEqual({ n: 1, self: 1 })],
  [true, () => { const a: any = []; a[0] = a; const b: any = []; b[0] = b; expect(a).toEqual(b) }],
])
table('toEqual: dates, patterns, bytes, wrappers', [
  [false, () => expect(new Date(0)).toEqual(new Date(1))],
  [true, () => expect(new Date(NaN)).toEqual(new Date(NaN))],
  [false, () => expect(new Date(0)).toEqual('1970-01-01T00:00:00.000Z')],
  [true, () => { const r = /a/g; r.lastIndex = 3; expect(r).toEqual(/a/g) }],
  [true, () => expect(new Uint8Array([1])).toEqual(new Uint8Array([1]))],
  [false, () => expect(new Uint8Array([1])).toEqual(new Uint8Array([2]))],
  [false, () => expect(new Uint8Array(2)).toEqual(new Uint8Array(3))],
  [false, () => expect(new Uint8Array([1])).toEqual([1])],
  [true, () => expect(new Uint8Array([1])).toEqual(new Uint16Array([1]))],
  [false, () => expect(new Float32Array([0])).toEqual(new Float32Array([-0]))],
  [true, () => expect(new Float32Array([NaN])).toEqual(new Float32Array([NaN]))],
  [true, () => expect(Object(1)).toEqual(Object(2))],
  [false, () => expect(Object(1)).toEqual(1)],
  [false, () => expect(Object('a')).toEqual(Object('b'))],
  [false, () => expect('a').toEqual(Object('a'))],
  [false, () => expect(1n).toEqual(1)],
  [true, () => expect(Promise.resolve(1)).toEqual(Promise.resolve(2))],
  [false, () => expect(() => 1).toEqual(() => 1)],
  [true, () => expect(Symbol.for('a')).toEqual(Symbol.for('a'))],
  [false, () => expect(Symbol('a')).toEqual(Symbol('a'))],
])
table('toEqual: an error is compared by its own fields, and its message is none', [
  [true, () => expect(new Error('a')).toEqual(new Error('b'))],
  [true, () => expect(new TypeError('a')).toEqual(new Error('a'))],
  [false, () => expect(new TypeError('a')).toStrictEqual(new Error('a'))],
  [true, () => expect(new Error('a')).toStrictEqual(new Error('b'))],
  [false, () => expect(coded(new Error('a'), 5)).toEqual(new Error('a'))],
  [false, () => expect(named(new Error('a'), 'Z')).toEqual(new Error('a'))],
  [false, () => expect(new Error('a')).toEqual({ message: 'a' })],
  [true, () => expect(new Error('a')).toEqual({})],
  [true, () => expect(new RangeError('x')).toMatchObject({ message: 'x', name: 'RangeError' })],
])
table('toStrictEqual', [
  [false, () => expect(new P()).toStrictEqual(new Q())],
  [false, () => expect(Object.create(null)).toStrictEqual({})],
  [false, () => expect([new P()]).toStrictEqual([{ x: 1 }])],
  [false, () => expect([{ a: undefined }]).toStrictEqual([{}])],
  [false, () => expect({ a: undefined, b: 1 }).toStrictEqual({ b: 1, c: undefined })],
  [true, () => expect({ a: 1 }).toStrictEqual({ a: expect.any(Number) })],
])
table('toMatchObject', [
  [false, () => expect([{ a: 1 }, 2]).toMatchObject([{ a: 1 }])],
  [true, () => expect({ a: [{ b: 1, c: 2 }] }).toMatchObject({ a: [{ b: 1 }] })],
  [true, () => expect({ d: new Map([[1, { a: 1, b: 2 }]]) }).toMatchObject({ d: new Map([[1, { a: 1 }]]) })],
  [false, () => expect(new Map([[1, 1], [2, 2]])).toMatchObject(new Map([[1, 1]]))],
  [true, () => expect({ a: new Set([{ x: 1, y: 2 }]) }).toMatchObject({ a: new Set([{ x: 1 }]) })],
  [false, () => expect(new Set([1, 2])).toMatchObject(new Set([1]))],
  [true, () => expect({ x: 1 }).toMatchObject(new P())],
  [false, () => expect(5).toMatchObject(5 as any)],
  [false, () => expect('a').toMatchObject({})],
  [false, () => expect({}).toMatchObject(5 as any)],
  [false, () => expect(null).toMatchObject({})],
  [true, () => expect({ a: { b: 1 } }).toMatchObject({ a: {} })],
  [false, () => expect({ a: [1] }).toMatchObject({ a: [] })],
  [false, () => expect({ a: [] }).toMatchObject({ a: {} })],
  [false, () => expect({ d: new Date(0) }).toMatchObject({ d: {} })],
  [false, () => expect(new Map()).toMatchObject({ size: 0 })],
  [true, () => expect(Object.create({ a: 1 })).toMatchObject({ a: 1 })],
  [false, () => expect(Object.assign(() => 1, { a: 1 })).toMatchObject({ a: 1 })],
  [false, () => expect([1]).toMatchObject({ length: 1 })],
  [false, () => expect({ 0: 1, length: 1 }).toMatchObject([1])],
  [true, () => expect({ a: 1 }).toMatchObject(expect.objectContaining({ a: 1 }))],
  [true, () => expect(new Uint8Array([1, 2])).toMatchObject(new Uint8Array([1]))],
  [true, () => expect(5).not.toMatchObject({ a: 1 })],
])
table('toContain, toContainEqual', [
  [false, () => expect(5).toContain(5)],
  [false, () => expect('abc').toContain(5)],
  [true, () => expect(null).not.toContain(5)],
  [false, () => expect(new Map([[1, 2]])).toContain(1)],
  [true, () => expect([NaN]).toContain(NaN)],
  [true, () => expect([0]).toContain(-0)],
  [true, () => expect(new Uint8Array([1, 2])).toContain(2)],
  [false, () => expect({}).toContain(1)],
  [true, () => expect([1, , 3]).toContain(undefined)],
  [false, () => expect([1]).toContain(expect.any(Number))],
  [true, () => expect([1]).toContainEqual(expect.any(Number))],
  [true, () => expect('abc').toContainEqual('b')],
  [false, () => expect('abc').toContainEqual('bc')],
  [true, () => expect(new Set([{ a: 1 }])).toContainEqual({ a: 1 })],
  [true, () => expect(null).not.toContainEqual(1)],
])
table('toHaveLength', [
  [false, () => expect(5).toHaveLength(1)],
  [false, () => expect(null).toHaveLength(1)],
  [false, () => expect([1]).toHaveLength('1' as any)],
  [false, () => expect({ length: '2' }).toHaveLength(2)],
  [true, () => expect(() => 1).toHaveLength(0)],
  [false, () => expect(new Set([1])).toHaveLength(1)],
  [true, () => expect(5).not.toHaveLength(1)],
])
table('toHaveProperty', [
  [false, () => expect({ a: 1 }).toHaveProperty('a', undefined)],
  [false, () => expect({}).toHaveProperty('a', undefined)],
  [true, () => expect({ a: undefined }).toHaveProperty('a', undefined)],
  [false, () => expect({ a: [{ b: 1 }] }).toHaveProperty('a[0].b', 1)],
  [false, () => expect({ 'a.b': 1 }).toHaveProperty('a.b')],
  [true, () => expect({ 'a.b': 1 }).toHaveProperty(['a.b'])],
  [true, () => expect([1]).toHaveProperty([0] as any, 1)],
  [true, () => expect([1]).toHaveProperty(0 as any)],
  [true, () => expect({ '': 1 }).toHaveProperty('')],
  [true, () => expect({}).toHaveProperty([])],
  [false, () => expect(null).toHaveProperty('a')],
  [true, () => expect(undefined).not.toHaveProperty('a')],
  [true, () => expect('abc').toHaveProperty('length', 3)],
  [true, () => expect(5).toHaveProperty('toFixed')],
  [true, () => expect(Object.create({ a: 1 })).toHaveProperty('a')],
  [true, () => expect({ a: { b: undefined, c: 1 } }).toHaveProperty('a', { c: 1 })],
  [true, () => expect({ a: 5 }).toHaveProperty('a', expect.any(Number))],
  [true, () => expect({ a: 1 }).not.toHaveProperty('a', 2)],
  [false, () => expect({ [tagged]: 1 }).toHaveProperty([tagged] as any, 1)],
  [false, () => expect({ a: null }).toHaveProperty('a.b')],
  [true, () => expect({ a: 'xy' }).toHaveProperty('a.length', 2)],
  [true, () => expect(new Map([[1, 1]])).toHaveProperty('size', 1)],
])
table('comparisons convert to numbers', [
  [false, () => expect('x' as any).toBeGreaterThan(1)],
  [true, () => expect('10' as any).toBeGreaterThan('9' as any)],
  [true, () => expect(null as any).toBeLessThan(1)],
  [false, () => expect(NaN).toBeLessThan(1)],
  [true, () => expect('x' as any).not.toBeGreaterThan(1)],
  [true, () => expect(new Date(5) as any).toBeGreaterThan(new Date(4) as any)],
  [true, () => expect(2n).toBeGreaterThan(1.5)],
  [true, () => expect(2n ** 64n + 1n).toBeGreaterThan(2n ** 64n)],
  [true, () => expect(2 ** 53).toBeLessThan(2n ** 53n + 1n)],
  [false, () => expect(undefined as any).toBeGreaterThan(1)],
  [false, () => expect(1).toBeLessThanOrEqual(undefined as any)],
])
test('a symbol is no number', () => {
  let name = ''
  try { expect(Symbol('x') as any).toBeGreaterThan(1) } catch (x: any) { name = x.name }
  expect(name).toBe('TypeError')
})
table('texts', [
  [false, () => expect('abc').toMatch(5 as any)],
  [false, () => expect('abc').toMatch(/B/)],
  [false, () => expect('abc').not.toMatch(/b/g)],
  [true, () => expect(5 as any).not.toMatch('5')],
  [true, () => expect('abc').toMatch('')],
  [false, () => expect('abc').toMatch(undefined as any)],
  [false, () => expect('5').toStartWith(5 as any)],
  [true, () => expect(5 as any).not.toEndWith('b')],
  [false, () => expect('abc').toEndWith(/c/ as any)],
  [false, () => expect(['a'] as any).toStartWith('a')],
])
test('a global pattern goes on where it was, in toMatch and toThrow; a stringMatching does not', () => {
  const pattern = /a/g
  expect('a').toMatch(pattern)
  expect(pattern.lastIndex).toBe(1)
  expect('a').not.toMatch(pattern)
  const boom = () => { throw new Error('a') }
  expect(boom).toThrow(pattern)
  expect(boom).not.toThrow(pattern)
  const matching = expect.stringMatching(/x/g)
  expect('x').toEqual(matching)
  expect('x').toEqual(matching)
})
table('toBeInstanceOf', [
  [false, () => expect({}).toBeInstanceOf(5 as any)],
  [false, () => expect({}).toBeInstanceOf({} as any)],
  [true, () => expect({}).not.toBeInstanceOf(5 as any)],
  [true, () => expect(null).not.toBeInstanceOf(Array)],
  [false, () => expect(5).toBeInstanceOf(Number)],
])
