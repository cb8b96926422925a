import { expect, test } from 'claude-code/testing'

const mount = ($: any, requestId: string) => $.ui.mount({ plugin: 'kit-raise', surface: 'terminal', component: 'Pane', props: {}, requestId })
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }
const shown = async (ui: any) => JSON.parse((await ui.find({ type: 'Text', in: 'c' })).text)
const log = async ($: any) => JSON.parse((await $.command.run({ command: 'log', args: '' })).text)

test('the last state set is the one drawn, on the same surface object', async ($: any) => {
  expect(await shown(await mount($, 'state'))).toEqual({ renders: 2, same: true, state: { a: 2 }, focused: true, reduced: false })
})
test('a function is no change of state but the state', async ($: any) => {
  expect(await shown(await mount($, 'function'))).toEqual({ renders: 2, same: true, focused: true, reduced: false })
})
test('setting state in each of three renders', async ($: any) => {
  expect((await shown(await mount($, 'three'))).renders).toBe(3)
  const ui = await outcome(() => mount($, 'endless'))
  expect(typeof ui === 'string' ? ui : await outcome(() => ui.drawn({ in: 'c' }))).toBe('HooksError')
})
test('one listener for keys, the latest', async ($: any) => {
  const ui = await mount($, 'listeners')
  await ui.key({ key: 'a' })
  expect((await shown(ui)).state).toEqual({ new: 'a', frozen: true })
})
test('a listener that was cleared', async ($: any) => {
  const ui = await mount($, 'cleared')
  await ui.key({ key: 'a' })
  expect(await shown(ui)).toEqual({ renders: 1, same: true, focused: true, reduced: false })
})
for (const [ms, ticks] of [[0, 62], [5, 62], [16, 62], [17, 58], [33, 30], [100, 10]]) test(`every ${ms} ms for a second`, async ($: any) => {
  const ui = await mount($, 'every ' + ms)
  await ui.advance(1000)
  expect([(await shown(ui)).renders, (await shown(ui)).state]).toEqual([2, { n: ticks }])
})
test('timers run in the order in which they are due, then the oldest first', async ($: any) => {
  const ui = await mount($, 'order')
  await ui.advance(100)
  expect((await shown(ui)).state).toEqual({ said: 'bcabcbcabcbc' })
})
test('a timer that stops itself', async ($: any) => {
  const ui = await mount($, 'stops')
  await ui.advance(100)
  expect((await shown(ui)).state).toEqual({ said: 'x' })
})
test('of several posts the last is sent', async ($: any) => {
  const ui = await mount($, 'posts')
  await ui.advance(100)
  expect([await log($), (await shown(ui)).renders]).toEqual([[{ n: 5, reply: 'none' }], 1])
})
test('a post while drawing', async ($: any) => {
  const ui = await mount($, 'post-at-once')
  expect([await log($), (await shown(ui)).renders]).toEqual([[{ n: 2 }], 2])
})
test('wrong use of the surface', async ($: any) => {
  expect((await shown(await mount($, 'wrong'))).state.wrong).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'fine'])
})
test('what a surface module has', async ($: any) => {
  expect((await shown(await mount($, 'elements'))).state).toEqual({ elements: ['Box', 'Text', 'Button', 'Input', 'Select', 'Link', 'Code', 'Markdown'], kinds: ['object', 'undefined', 'function', 'function'], frozen: [true, true] })
})
test('a fault in a listener ends the instance, not the act', async ($: any) => {
  const ui = await mount($, 'throws-key')
  expect([await ui.key({ key: 'a' }), await outcome(() => ui.drawn({ in: 'c' })), await ui.key({ key: 'a' }), (await ui.drawn() as any).type]).toEqual([undefined, 'HooksError', undefined, 'Box'])
})
test('a fault in a timer', async ($: any) => {
  const ui = await mount($, 'throws-tick')
  expect([await ui.advance(100), await outcome(() => ui.drawn({ in: 'c' }))]).toEqual([undefined, 'HooksError'])
})
test('a fault in a button', async ($: any) => {
  const ui = await mount($, 'throws-press')
  expect([await ui.press({ key: 'b' }), await outcome(() => ui.drawn({ in: 'c' }))]).toEqual([{ element: 'b' }, 'HooksError'])
})
test('two instances share the module, not the state', async ($: any) => {
  const one = await mount($, 'plain')
  const two = await mount($, 'plain2')
  expect([(await shown(one)).renders, (await shown(two)).renders, (await shown(two)).same]).toEqual([1, 2, false])
})
for (const what of ['late', 'text', 'list', 'bad-prop']) test(`a module that draws ${what}`, async ($: any) => {
  expect(await outcome(() => mount($, what))).toBe('HooksError')
})
test('a module that draws a fragment', async ($: any) => {
  expect(await (await mount($, 'fragment')).drawn({ in: 'c' })).toEqual({ type: 'Box', props: { flexDirection: 'column' }, children: [{ type: 'Text', children: ['in a fragment'] }] })
})
test('what a button of a module is given', async ($: any) => {
  const ui = await mount($, 'button')
  await ui.press({ key: 'b' })
  expect((await shown(ui)).state).toEqual({ e: ['component', 'element', 'plugin', 'requestId', 'surface'] })
})
test('equal props, an equal size and an equal focus draw nothing anew', async ($: any) => {
  const ui = await mount($, 'plain')
  const renders = async (act: () => unknown) => { await act(); return (await shown(ui)).renders }
  expect([
    await renders(() => ui.redraw()), await renders(() => ui.redraw({ extra: 1 })), await renders(() => ui.redraw({ extra: 1 })), await renders(() => ui.resize({ columns: 3, rows: 3 })), await renders(() => ui.resize({ columns: 3, rows: 3 })),
    await renders(() => ui.setWindowFocused(false)), await renders(() => ui.setWindowFocused(false)), await renders(() => ui.setMotionReduced(true)),
  ]).toEqual([1, 2, 2, 3, 3, 4, 4, 5])
  expect([(await shown(ui)).focused, (await shown(ui)).reduced]).toEqual([false, true])
})
