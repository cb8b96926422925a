import { expect, test } from 'claude-code/testing'

const outcome = async (f: () => unknown) => { try { await f(); return 'holds' } catch (x: any) { return x.name } }
const boom = () => { throw new RangeError('too far') }
const throwing = (value: unknown) => () => { throw value }

test('toThrow of what is thrown', async () => {
  const rows: [string, () => unknown][] = [
    ['holds', () => expect(boom).toThrow(undefined)],
    ['holds', () => expect(boom).toThrow('')],
    ['holds', () => expect(boom).toThrow(Error)],
    ['holds', () => expect(boom).toThrow({ message: 'too far' } as any)],
    ['holds', () => expect(boom).toThrow({ message: 'too far', name: 'Other' } as any)],
    ['holds', () => expect(boom).toThrow(new TypeError('too far'))],
    ['AssertionError', () => expect(boom).toThrow(new TypeError('too'))],
    ['AssertionError', () => expect(boom).toThrow({} as any)],
    ['AssertionError', () => expect(boom).toThrow({ name: 'RangeError' } as any)],
    ['AssertionError', () => expect(boom).toThrow({ message: /far/ } as any)],
    ['AssertionError', () => expect(boom).toThrow(5 as any)],
    ['AssertionError', () => expect(boom).toThrow(null as any)],
    ['AssertionError', () => expect(boom).toThrow(expect.any(RangeError) as any)],
    ['holds', () => expect(boom).not.toThrow('near')],
    ['holds', () => expect(boom).not.toThrow(TypeError)],
    ['AssertionError', () => expect(boom).not.toThrow('far')],
    ['AssertionError', () => expect(boom).not.toThrow()],
    ['AssertionError', () => expect(() => 1).toThrow('x')],
  ]
  for (const [want, f] of rows) expect(await outcome(f), String(f)).toBe(want)
})
test('toThrow of what is no error', async () => {
  const rows: [string, () => unknown][] = [
    ['holds', () => expect(throwing(undefined)).toThrow()],
    ['holds', () => expect(throwing('text')).toThrow(/ex/)],
    ['holds', () => expect(throwing(5)).toThrow('5')],
    ['holds', () => expect(throwing(5)).toThrow({ message: '5' } as any)],
    ['AssertionError', () => expect(throwing(5)).toThrow(Number)],
    ['holds', () => expect(throwing(null)).toThrow('null')],
    ['holds', () => expect(throwing({ message: 'obj' })).toThrow('obj')],
    ['holds', () => expect(throwing({ message: 5 })).toThrow('5')],
    ['AssertionError', () => expect(throwing({ a: 1 })).toThrow('object')],
    ['AssertionError', () => expect(throwing(Object.create(null))).toThrow('x')],
  ]
  for (const [want, f] of rows) expect(await outcome(f), String(f)).toBe(want)
})
test('toThrow needs a function, also when it is to hold not', async () => {
  expect([await outcome(() => expect(5).toThrow()), await outcome(() => expect(5).not.toThrow())]).toEqual(['AssertionError', 'AssertionError'])
})
test('a function that gives a rejecting promise has not thrown', async () => {
  const late = async () => { throw new Error('later') }
  let given: any
  expect(() => { given = late() }).not.toThrow()
  await expect(given).rejects.toThrow('later')
})
test('resolves and rejects take any value; what is no promise resolves with itself', async () => {
  const rows: [string, () => unknown][] = [
    ['holds', () => expect(5).resolves.toBe(5)],
    ['AssertionError', () => expect(5).rejects.toBe(5)],
    ['holds', () => expect({ then(r: any) { r(7) } }).resolves.toBe(7)],
    ['AssertionError', () => expect(async () => 5).resolves.toBe(5)],
    ['holds', () => expect(Promise.reject('x')).rejects.toThrow('x')],
    ['holds', () => expect(Promise.reject(new RangeError('x y'))).rejects.toThrow(RangeError)],
    ['AssertionError', () => expect(Promise.reject(new RangeError('x y'))).rejects.not.toThrow()],
    ['holds', () => expect(Promise.reject(new RangeError('x y'))).rejects.not.toThrow('z')],
    ['holds', () => expect(Promise.resolve(boom)).resolves.toThrow('far')],
    ['AssertionError', () => expect(Promise.resolve(5)).resolves.toThrow()],
    ['holds', () => expect(Promise.reject(new Error('q'))).rejects.toMatchObject({ message: 'q' })],
  ]
  for (const [want, f] of rows) expect(await outcome(f), String(f)).toBe(want)
})
test('what resolves and rejects give is a promise of nothing', async () => {
  const given: any = expect(Promise.resolve(1)).resolves.toBe(1)
  expect(given).toBeInstanceOf(Promise)
  expect(await given).toBeUndefined()
  expect(expect(1).toBe(1)).toBeUndefined()
})
test('the members of an expectation', () => {
  const names = Object.keys(expect(1))
  expect(names.length).toBe(26)
  expect(names.slice(-3)).toEqual(['not', 'resolves', 'rejects'])
  expect(Object.keys(expect(1).not)).toEqual(names.slice(0, 23))
  expect(Object.keys(expect(1).resolves)).toEqual([...names.slice(0, 23), 'not'])
  expect(Object.keys(expect)).toEqual(['any', 'anything', 'stringContaining', 'stringMatching', 'objectContaining', 'arrayContaining'])
})
test('a note comes first, whatever it is', () => {
  const said = (note: unknown) => { try { expect(1, note as any).toBe(2) } catch (x: any) { return x.message.split('\n\n')[0] } }
  expect([said(5), said({ a: 1 }), said('two\nlines')]).toEqual(['5', '[object Object]', 'two\nlines'])
})
test('an error of an expectation is an Error of that name', () => {
  let error: any
  try { expect({ a: 1 }).toEqual({ a: 2 }) } catch (x) { error = x }
  expect(error).toBeInstanceOf(Error)
  expect(error.name).toBe('AssertionError')
  expect(error.message).toContain('1')
  expect(error.message).toContain('2')
})
