import { expect, test } from 'claude-code/testing'

const P = 'kit-mounted'
const mount = ($: any, more: object = {}) => $.ui.mount({ plugin: P, surface: 'terminal', component: 'Pane', props: {}, requestId: 'client', ...more })
const log = async ($: any) => JSON.parse((await $.command.run({ command: 'log', args: '' })).text)
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }
const each = async (attempts: (() => unknown)[]) => { const all: unknown[] = []; for (const f of attempts) all.push(await outcome(f)); return all }
const shown = async (ui: any, key = 'c1') => (await ui.find({ type: 'Text', in: key })).text.split(' | ')
const refused = (n: number) => Array.from({ length: n }, () => 'HooksError')

test('a Client in the drawing, and what its module drew', async ($: any) => {
  const ui = await mount($)
  expect((await ui.find({ type: 'Client' }))).toEqual({ type: 'Client', key: 'c1', props: { key: 'c1', module: 'hooks/panel.tsx', props: { n: 1 }, width: 20 }, text: '', children: [] })
  expect([(await ui.findAll({})).length, (await ui.findAll({ type: 'Text' })).length]).toEqual([2, 0])
  const inside: any = await ui.drawn({ in: 'c1' })
  expect([inside.type, inside.children.map((c: any) => c.type)]).toEqual(['Box', ['Text', 'Button', 'Input']])
  expect(await shown(ui)).toEqual(['n 1', 'key ', 'pointer ', 'ticks 0', '0x0'])
})
test('keys', async ($: any) => {
  const ui = await mount($)
  expect(await ui.key({ key: 'a', ctrl: true })).toBeUndefined()
  expect((await shown(ui))[1]).toBe('key {"key":"a","ctrl":true}')
  await ui.key({ key: 'b', in: 'c1' })
  expect((await shown(ui))[1]).toBe('key {"key":"b"}')
  expect(await each([() => ui.key({}), () => ui.key('a'), () => ui.key({ key: 'b', shift: false }), () => ui.key({ key: 'b', in: 'none' })])).toEqual(refused(4))
  expect((await shown(ui))[1]).toBe('key {"key":"b"}')
})
test('the pointer', async ($: any) => {
  const ui = await mount($)
  await ui.pointer({ type: 'down', x: 1, y: 2 })
  expect((await shown(ui))[2]).toBe('pointer {"type":"down","x":1,"y":2}')
  await ui.pointer({ type: 'move', x: 1, y: 2, button: 'left', shift: true, fine: { x: 1.5, y: 2.5 } })
  expect(JSON.parse((await shown(ui))[2].slice(8))).toEqual({ type: 'move', x: 1, y: 2, button: 'left', shift: true, fine: { x: 1.5, y: 2.5 } })
  expect(await each([() => ui.pointer({ type: 'click', x: 1, y: 2 }), () => ui.pointer({ type: 'down' }), () => ui.pointer({ type: 'down', x: 1, y: 2, in: 'none' })])).toEqual(refused(3))
})
test('the clock of a drawing', async ($: any) => {
  const ui = await mount($)
  await ui.advance(250)
  expect((await shown(ui))[3]).toBe('ticks 2')
  await ui.advance(50)
  expect((await shown(ui))[3]).toBe('ticks 3')
  expect(await each([() => ui.advance(-1), () => ui.advance(), () => ui.advance('5')])).toEqual(refused(3))
})
test('the size of a Client', async ($: any) => {
  const ui = await mount($, { surface: 'desktop', viewport: { columns: 90, rows: 9 } })
  expect((await shown(ui))[4]).toBe('90x9')
  await ui.resize({ columns: 30, rows: 5 })
  expect((await shown(ui))[4]).toBe('30x5')
  expect(await each([() => ui.resize({}), () => ui.resize({ columns: -1, rows: 1 }), () => ui.resize({ columns: 1, rows: 1, in: 'none' })])).toEqual(refused(3))
})
test('a Client tells its plugin, whose answer becomes its props', async ($: any) => {
  const ui = await mount($)
  expect(await ui.press({ key: 'post' })).toEqual({ element: 'post' })
  expect(await log($)).toEqual([['message', { surface: 'terminal', component: 'Pane', requestId: 'client', element: 'c1', module: 'hooks/panel.tsx', data: { a: 1 } }]])
  expect((await shown(ui))[0]).toBe('n 77')
  expect(await ui.post({ b: 2 })).toBeUndefined()
  expect((await log($))[0][1].data).toEqual({ b: 2 })
  expect(await each([() => ui.post({ b: 2 }, { in: 'none' }), () => ui.post(), () => ui.post(() => 1)])).toEqual(refused(3))
})
test('an Input inside a Client runs in the Client', async ($: any) => {
  const ui = await mount($)
  expect(await ui.input({ key: 'field', text: 'hey' })).toEqual({ element: 'field', value: 'hey' })
  expect((await shown(ui))[1]).toBe('key typed hey')
  expect(await log($)).toEqual([])
})
test('a redraw gives a Client new props and keeps its state', async ($: any) => {
  const ui = await mount($)
  await ui.key({ key: 'a' })
  await ui.redraw({ n: 5 })
  expect((await shown(ui)).slice(0, 2)).toEqual(['n 5', 'key {"key":"a"}'])
  await ui.redraw()
  expect((await shown(ui)).slice(0, 2)).toEqual(['n 5', 'key {"key":"a"}'])
})
test('two Clients', async ($: any) => {
  const ui = await mount($, { requestId: 'two' })
  expect([(await shown(ui, 'c1'))[0], (await shown(ui, 'c2'))[0]]).toEqual(['n 1', 'n 2'])
  expect(await each([() => ui.key({ key: 'a' }), () => ui.resize({ columns: 1, rows: 1 }), () => ui.post(1), () => ui.press({ key: 'post' })])).toEqual(refused(4))
  await ui.key({ key: 'a', in: 'c2' })
  expect([(await shown(ui, 'c1'))[1], (await shown(ui, 'c2'))[1]]).toEqual(['key ', 'key {"key":"a"}'])
})
test('a module that throws, and one that draws nothing', async ($: any) => {
  expect(await each([() => mount($, { requestId: 'boom' }), () => mount($, { requestId: 'nothing' })])).toEqual(refused(2))
})
for (const surface of ['vscode', 'mobile']) test(`no Client on ${surface}`, async ($: any) => {
  const ui = await mount($, { surface })
  expect((await ui.findAll({})).map((f: any) => f.type)).toEqual(['Box', 'Box'])
  expect(await outcome(() => ui.drawn({ in: 'c1' }))).toBe('HooksError')
})
test('acts that need a Client where there is none', async ($: any) => {
  const ui = await mount($, { requestId: 'r' })
  expect(await each([() => ui.key({ key: 'a' }), () => ui.resize({ columns: 1, rows: 1 }), () => ui.post(1), () => ui.pointer({ type: 'down', x: 1, y: 1 }), () => ui.advance(5)])).toEqual([...refused(4), undefined])
})
