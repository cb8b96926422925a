import { expect, test } from 'claude-code/testing'

const P = 'ui-heard'
const mount = ($: any, props: object = {}, more: object = {}) => $.ui.mount({ plugin: P, surface: 'terminal', component: 'Pane', requestId: 'p', props, ...more })
const said = async ($: any) => JSON.parse((await $.command.run({ command: 'said', args: '' })).text)
const draws = async ($: any) => Number((await $.command.run({ command: 'draws', args: '' })).text)
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }
const inside = async (ui: any) => (await ui.find({ type: 'Text', in: 'c' })).text

test('a kind that is undefined submits', async ($: any) => {
  const ui = await mount($)
  expect(await ui.input({ key: 'in', text: 'x', kind: undefined })).toEqual({ element: 'in', value: 'x' })
  await $.ui.input({ plugin: P, key: 'in', text: 'x', kind: undefined })
  await ui.input({ key: 'in', text: 'x', kind: 'change' })
  expect(await said($)).toEqual(['sent', 'sent', 'typed'])
})
test('what acts refuse', async ($: any) => {
  const ui = await mount($)
  expect(await outcome(() => ui.press({ key: 'ok', link: {} }))).toBe('HooksError')
  for (const props of [[], null, 5, 'x']) expect(await outcome(() => ui.redraw(props))).toBe('HooksError')
  expect(await outcome(() => mount($, [], { requestId: 'list' }))).toBe('HooksError')
  const part = await mount($, { part: {} }, { requestId: 'q' })
  expect(await outcome(() => part.resize({ columns: 1.5, rows: 2 }))).toBe('HooksError')
  expect(await outcome(() => part.resize({ columns: 2, rows: 2 }))).toBe(undefined)
})
test('functions in props go', async ($: any) => { expect((await mount($, { asks: () => 1 })).surface).toBe('terminal') })
test('a press that is rewritten comes back as its element', { plugins: [{ name: 'above', tier: 'user', register(on: any) { on('ui.press', { plugin: '*' }, ($: any, e: any, next: any) => next({ ...e, value: 'more' })) } }] } as any, async ($: any) => {
  expect(await (await mount($)).press({ key: 'ok' })).toEqual({ element: 'ok' })
})
test('an id is minted by the place among all mounts', async ($: any, on: any) => {
  const ids: string[] = []
  on('ui.render', { component: 'Spinner' }, ($$: any, e: any) => { ids.push(e.requestId); return { type: 'Text', children: ['x'] } })
  const spinner = (more: object) => $.ui.mount({ plugin: P, surface: 'terminal', component: 'Spinner', props: {}, ...more })
  await spinner({}); await spinner({ requestId: 'named' }); await spinner({})
  expect(ids).toEqual(['mount-1', 'named', 'mount-3'])
})
test("a stub's own drawing of the engine is the engine's", async ($: any, on: any) => {
  on('ui.render', { component: 'Spinner' }, ($$: any, e: any) => ({ type: 'Box', children: [{ type: 'engine', ref: 7, more: 1 }, { type: 'engine', ref: 0 }] }))
  const ui = await $.ui.mount({ plugin: P, surface: 'terminal', component: 'Spinner', props: {} })
  expect((await ui.drawn()).children).toEqual([{ type: 'engine', ref: 1 }, { type: 'engine', ref: 1 }])
})
test('drawing writes no state, also by way of others', async ($: any) => {
  await mount($, { writes: true })
  await new Promise(resolve => setTimeout(resolve, 10))
  expect(await said($)).toEqual(['HooksError', 'HooksError', { isSet: true, version: 1 }])
})
test('a drawing that asks for another run while it is drawn', async ($: any) => {
  const ui = await mount($, { asks: 4 })
  const seen = [await draws($)]
  await $.command.run({ command: 'draws', args: '' }); seen.push(await draws($))
  await ui.press({ key: 'ok' }); seen.push(await draws($))
  await ui.drawn(); seen.push(await draws($))
  await ui.redraw(); seen.push(await draws($))
  expect(seen).toEqual([2, 2, 4, 5, 6])
})
test('a Client without props', async ($: any) => { expect(await inside(await mount($, { part: 'none' }))).toBe('no props -') })
test('a Client may set state in three renders', async ($: any) => {
  const shown = (upTo: number) => outcome(async () => inside(await mount($, { part: { upTo } }, { requestId: String(upTo) })))
  expect([await shown(3), await shown(4)]).toEqual(['{"upTo":3} 3', 'HooksError'])
})
test('what a Client posts comes from a client', async ($: any) => {
  const ui = await mount($, { part: {} })
  await ui.press({ key: 'say' }); await ui.post('from the test')
  expect(await said($)).toEqual([['hello', { plugin: 'client', tier: 'user' }], ['from the test', { plugin: 'client', tier: 'user' }]])
})
test('a Client that failed stays down', async ($: any) => {
  const ui = await mount($, { part: {} })
  expect(await ui.press({ key: 'break' })).toEqual({ element: 'break' })
  expect(await outcome(() => inside(ui))).toBe('HooksError')
  await ui.redraw({ part: { n: 1 } })
  expect(await outcome(() => inside(ui))).toBe('HooksError')
  expect(await outcome(() => ui.key({ key: 'a' }))).toBe(undefined)
  const other = await mount($, { part: {} }, { requestId: 'q' })
  expect(await inside(other)).toBe('{} -')
})
