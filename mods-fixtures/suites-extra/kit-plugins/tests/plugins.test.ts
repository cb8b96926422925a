import { expect, mock, test } from 'claude-code/testing'

// Whatever is seated here says that it is there.
const hello = (plugin: object, want: 'there' | 'not there') => async ($: any) => {
  let text = 'not there'
  try { text = (await $.command.run({ command: 'hello', args: '' })).text } catch {}
  expect([plugin, text]).toEqual([plugin, want])
}
function setup(on: any) { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) }
class Holder { static register(on: any) { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) } }
const throws = (on: any) => { throw new Error('on purpose') }

const WRITTEN: Record<string, any> = {
  'a method': { register(on: any) { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) } },
  'an async method': { async register(on: any) { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) } },
  'a quoted method': { 'register'(on: any) { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) } },
  'a static method': { register: Holder.register },
  'a function of another name': { register: setup },
  'an arrow with a body': { register: (on: any) => { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) } },
  'an async arrow': { register: async (on: any) => { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) } },
}
for (const [name, plugin] of Object.entries(WRITTEN)) test(name, { plugins: [{ name: 'beside', ...plugin }] }, hello(plugin, 'there'))

for (const name of ['a', '0', 'a-', 'a--b', 'claude-code', 'user', 'a'.repeat(200)]) {
  test(`the name ${name.slice(0, 20)}`, { plugins: [{ name, register(on: any) { on('command.run', { command: 'hello' }, async () => ({ text: 'there' })) } }] }, hello({}, 'there'))
}

const message = async ($: any) => { try { return await $.command.run({ command: 'options', args: '' }) } catch (x: any) { return [x.name, x.message] } }
for (const name of ['engine', 'core']) {
  test(`the engine's name ${name}`, { plugins: [{ name, register(on: any) {} }] }, async ($) => {
    const [kind, said] = await message($)
    expect(kind).toBe('HooksError')
    expect(said).toStartWith(`${name}: hooks module did not load: `)
  })
}
test('the name of the mod under test', { plugins: [{ name: 'kit-plugins', register(on: any) {} }] }, async ($) => {
  expect((await message($))[0]).toBe('HooksError')
})
test('one that has no source loads not', { plugins: [{ name: 'bound', register: setup.bind(null) }] }, async ($) => {
  const [kind, said] = await message($)
  expect(kind).toBe('HooksError')
  expect(said).toStartWith('bound: hooks module did not load: ')
})
test('all that do not load are named', { plugins: [{ name: 'one', register: throws }, { name: 'two', register: throws }] }, async ($) => {
  const [kind, said] = await message($)
  expect(kind).toBe('HooksError')
  expect(said.split('\n').map((line: string) => line.split(':')[0])).toEqual(['one', 'two'])
})
test('a mod without fields has no options', { options: { anything: 1 } }, async ($) => {
  expect((await $.command.run({ command: 'options', args: '' })).text).toBe('{}')
})

test('lengths, patterns, holes', async () => {
  expect([]).toHaveLength(-0)
  expect(0).toHaveLength(undefined as any)
  expect('5').toMatch(5 as any)
  expect('a,b').toMatch(['a', 'b'] as any)
  expect([1, 2]).toEqual([, 2])
  expect([undefined]).not.toEqual([])
})
test('what a value is held against is looked at when it is', async () => {
  for (const odd of ['x', {}, 5]) expect(typeof expect.any(odd as any)).toBe('object')
  for (const odd of ['x', {}, undefined]) expect(typeof expect.arrayContaining(odd as any)).toBe('object')
  expect(1).not.toEqual(expect.arrayContaining('x' as any))
  expect(() => expect([]).toEqual(expect.arrayContaining('x' as any))).toThrow(TypeError)
  expect(() => (expect as any).any()).toThrow(TypeError)
  expect(() => expect.any(null as any)).toThrow(TypeError)
  expect(() => new (expect as any)(1)).toThrow(TypeError)
})
test('a clock that begins at null', async (_$, on) => {
  expect(() => mock.clock(on, { now: null } as any)).toThrow(TypeError)
  expect([on.name, on.length]).toEqual(['on', 1])
})
