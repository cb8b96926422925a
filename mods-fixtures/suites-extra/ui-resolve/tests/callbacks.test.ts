import { expect, mock, test } from 'claude-code/testing'

const mount = ($: any, requestId: string) => $.ui.mount({ plugin: 'ui-resolve', surface: 'terminal', component: 'Pane', requestId, props: {} })
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return `${x.name} ${x.message}` } }
const ABOVE = {
  name: 'above', tier: 'prepend' as const,
  register(on: any) {
    const seen: string[] = []
    on('ui.press', { plugin: '*' }, async ($: any, e: any, next: any) => {
      try { return await next(e) } catch (x: any) { seen.push(`${x.name} ${x.message}`); throw x } finally { seen.push(next.trace.map((t: any) => `${t.plugin} ${t.outcome}`).join()) }
    })
    on('command.run', { command: 'seen' }, async () => ({ text: seen.splice(0).join(' | ') }))
  },
}

const FAILING = { throws: 'TypeError thrown', text: 'Error just text', rejects: 'Error rejected', getter: 'Error no then' }
for (const [key, error] of Object.entries(FAILING)) test(`a callback fails: ${key}`, { plugins: [ABOVE] }, async ($: any) => {
  const ui = await mount($, 'callbacks')
  expect(await outcome(() => ui.press({ key }))).toBe(error)
  expect((await $.command.run({ command: 'seen', args: '' })).text).toBe(`${error} | engine rejected`)
  expect(await ui.press({ key: 'value' })).toEqual({ element: 'value' })
  expect((await $.command.run({ command: 'seen', args: '' })).text).toBe('engine returned')
})
test('so do those of an Input and a Select', async ($: any) => {
  const ui = await mount($, 'callbacks')
  expect(await outcome(() => ui.input({ key: 'in', text: 'x' }))).toBe('Error not sent')
  expect(await outcome(() => ui.input({ key: 'in', text: 'x', kind: 'change' }))).toBe('Error not typed')
  expect(await outcome(() => ui.select({ key: 'sel', value: 'a' }))).toBe('Error not chosen')
  expect(await outcome(() => $.ui.press({ plugin: 'ui-resolve', key: 'throws' }))).toBe('TypeError thrown')
})
test('the press waits for what the callback gives, others go on meanwhile', async ($: any, on: any) => {
  const clock = mock.clock(on)
  const ui = await mount($, 'callbacks')
  const order: string[] = []
  const waits = ui.press({ key: 'waits' }).then(() => order.push('waits'))
  await ui.press({ key: 'value' }).then(() => order.push('value'))
  await clock.advance(50)
  await waits
  expect(order).toEqual(['value', 'waits'])
  expect((await $.command.run({ command: 'done', args: '' })).text).toBe('waited')
})

const PATH = 'HooksError ui-resolve: Client hooks/failing.tsx: '
const END: Record<string, string> = { throws: 'thrown', rejects: 'a promise it returned was rejected: rejected' }
for (const [key, why] of Object.entries(END)) test(`a callback of a Client ends its instance: ${key}`, async ($: any) => {
  const ui = await mount($, 'client')
  expect(await ui.press({ key })).toEqual({ element: key })
  expect(await outcome(() => ui.drawn({ in: 'c' }))).toBe(PATH + why)
})
test('nobody waits for a callback of a Client', async ($: any) => {
  const ui = await mount($, 'client')
  expect(await ui.press({ key: 'never' })).toEqual({ element: 'never' })
  await ui.press({ key: 'fine' })
  expect((await ui.find({ in: 'c', type: 'Text' })).text).toBe('pressed')
})
test('a listener of a Client that rejects', async ($: any) => {
  const ui = await mount($, 'listening')
  await ui.key({ key: 'a' })
  expect(await outcome(() => ui.drawn({ in: 'c' }))).toBe(`${PATH}a promise it returned was rejected: rejected by a listener`)
})
