import { describe, expect, mock, test } from 'claude-code/testing'

const run = ($: any, command: string) => $.command.run({ command, args: '', origin: { kind: 'human' }, presentation: 'text' })
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x } }
const value = (value: unknown) => () => ({ value })

describe('hooks that cannot stand show at the first use of $', () => {
  const cases: Record<string, (on: any) => unknown> = {
    'an event twice': (on) => { on('store.get', value(1)); on('store.get', value(2)) },
    'a pattern twice': (on) => { on('store.*', value(1)); on('store.*', value(2)) },
    'a mock over a hook': (on) => { on('store.get', value(1)); mock.store(on) },
    'two mocks': (on) => { mock.store(on); mock.store(on) },
    'no event': (on) => on('nothing', value(1)),
    'no noun': (on) => on('nobody.calls', value(1)),
    'a matcher that is text': (on) => on('store.get', 'key', value(1)),
    'a matcher with undefined': (on) => on('store.get', { key: undefined }, value(1)),
    'no function': (on) => on('store.get', {}),
    'a generator on a plain event': (on) => on('store.get', async function* () { return { value: 1 } }),
    'a plain function on a stream': (on) => on('turn.step', async () => ({})),
    'a catch that is none': (on) => on('store.get', value(1)).catch('no'),
  }
  for (const [title, register] of Object.entries(cases)) {
    test(title, async ($: any, on: any) => {
      register(on)
      const failed: any = await outcome(() => run($, 'get'))
      expect(failed.name).toBe('HooksError')
      expect(failed.message).toStartWith('test: hooks module did not load')
      expect((await outcome(() => run($, 'get')) as any).name).toBe('HooksError')
    })
  }
  test('what is no registration at all throws at once', async ($: any, on: any) => {
    for (const wrong of [[], [3, value(1)], ['store.get'], ['store.get', {}, value(1), 4]]) {
      expect(() => on(...wrong)).toThrow(TypeError)
    }
  })
})

test('with matchers an event may be registered again', async ($: any, on: any) => {
  on('store.get', { key: 'key' }, value('first'))
  on('store.get', { key: /k/ }, value('second'))
  mock.store(on, { key: 'mocked' })
  expect((await run($, 'get')).text).toBe('first')
})
test('a catch stands in for a stub that throws, the last one given', async ($: any, on: any) => {
  const registration = on('store.get', () => { throw new Error('no') })
  expect(registration.catch(value('before'))).toBeUndefined()
  registration.catch(value('caught'))
  expect((await run($, 'get')).text).toBe('caught')
})
test('a hook of a test makes no calls', async ($: any, on: any) => {
  let failed: any
  mock.clock(on)
  on('store.get', async ($: any) => { failed = await outcome(() => $.clock.now()); return { value: 1 } })
  await run($, 'get')
  expect([failed.name, failed.message.startsWith('test: $.clock.now')]).toEqual(['HooksError', true])
})
test('it may ask for elements', async ($: any, on: any) => {
  let names: string[] = []
  on('store.get', ($: any) => { names = Object.keys($.ui.resolve({ surface: 'terminal', component: 'Spinner' })); return { value: 1 } })
  await run($, 'get')
  expect(names).toContain('Box')
})
