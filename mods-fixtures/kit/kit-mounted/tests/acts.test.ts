import { expect, test } from 'claude-code/testing'

const P = 'kit-mounted'
const mount = ($: any, more: object = {}) => $.ui.mount({ plugin: P, surface: 'terminal', component: 'Pane', props: {}, requestId: 'r', ...more })
const log = async ($: any) => JSON.parse((await $.command.run({ command: 'log', args: '' })).text)
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }
const each = async (attempts: (() => unknown)[]) => { const all: unknown[] = []; for (const f of attempts) all.push(await outcome(f)); return all }
const event = (element: string, more: object = {}) => ({ plugin: P, element, component: 'Pane', requestId: 'r', surface: 'terminal', ...more })

test('what mount refuses at once', async ($: any) => {
  expect(await each([
    () => $.ui.mount(), () => $.ui.mount({}), () => mount($, { surface: undefined }), () => mount($, { surface: 'paper' }), () => mount($, { plugin: undefined }), () => mount($, { component: undefined }),
    () => mount($, { props: undefined }), () => mount($, { props: 5 }), () => mount($, { viewport: 5 }), () => mount($, { viewport: { columns: 'x' } }), () => mount($, { requestId: 5 }),
  ])).toEqual(Array.from({ length: 11 }, () => 'TypeError'))
})
test('what mount refuses after a look', async ($: any) => {
  await mount($)
  expect(await each([() => mount($), () => mount($, { component: 'Nothing', requestId: 'x' }), () => mount($, { requestId: 'bad', props: { bad: true } })])).toEqual(['HooksError', 'HooksError', 'HooksError'])
})
test('a drawing another mod has no part in may be mounted too', async ($: any) => {
  const ui = await mount($, { plugin: 'nobody' })
  expect((await ui.find({ key: 'go' })).type).toBe('Button')
})
test('a request without an id gets one', async ($: any) => {
  const ui = await $.ui.mount({ plugin: P, surface: 'terminal', component: 'Pane', props: {} })
  await ui.press({ key: 'go' })
  expect((await log($))[0][1].requestId).toBe('mount-1')
})
for (const surface of ['terminal', 'desktop', 'vscode', 'mobile']) test(`the members of a drawing on ${surface}`, async ($: any) => {
  const ui = await mount($, { surface })
  expect([Object.isFrozen(ui), ui.surface]).toEqual([true, surface])
  expect(Object.keys(ui)).toEqual(expect.arrayContaining(['surface', 'drawn', 'find', 'findAll', 'press', 'input', 'select', 'key', 'pointer', 'post', 'advance', 'resize', 'redraw', 'unmount']))
})
test('press', async ($: any) => {
  const ui = await mount($)
  expect(await each([() => ui.press({ key: 'go' }), () => ui.press({ key: 'five' }), () => ui.press({ key: 'go', plugin: P })])).toEqual([{ element: 'go' }, { element: 'five' }, { element: 'go' }])
  expect(await log($)).toEqual([['press', event('go')], ['press', event('go')]])
  expect(await each([
    () => ui.press(), () => ui.press('go'), () => ui.press({}), () => ui.press({ key: 5 }), () => ui.press({ key: 'name' }), () => ui.press({ key: 'go', plugin: 'other' }), () => ui.press({ key: 'dup' }),
  ])).toEqual(Array.from({ length: 7 }, () => 'HooksError'))
  expect(await log($)).toEqual([])
})
test('press of a link', async ($: any) => {
  const ui = await mount($)
  const link = { href: 'https://b.example' }
  expect(await each([() => ui.press({ key: 'md', link }), () => ui.press({ key: 'md' }), () => ui.press({ key: 'go', link })])).toEqual([{ element: 'md' }, 'HooksError', 'HooksError'])
  expect(await log($)).toEqual([['link', link, event('md', { link })]])
})
test('input', async ($: any) => {
  const ui = await mount($)
  expect(await each([
    () => ui.input({ key: 'name', text: 'x' }), () => ui.input({ key: 'name', text: 'y', kind: 'change' }), () => ui.input({ key: 'plain', text: 'z', kind: 'change' }), () => ui.input({ key: 'plain', text: '' }),
  ])).toEqual([{ element: 'name', value: 'x' }, { element: 'name', value: 'y' }, { element: 'plain', value: 'z' }, { element: 'plain', value: '' }])
  expect(await log($)).toEqual([
    ['submit', 'x', event('name', { kind: 'submit', value: 'x' })], ['input', 'y', event('name', { kind: 'change', value: 'y' })], ['submit', '', event('plain', { kind: 'submit', value: '' })],
  ])
  expect(await each([
    () => ui.input(), () => ui.input({ key: 'name' }), () => ui.input({ key: 'name', text: 5 }), () => ui.input({ key: 'name', text: 'x', kind: 'other' }), () => ui.input({ key: 'go', text: 'x' }), () => ui.input({ key: 'none', text: 'x' }),
  ])).toEqual(Array.from({ length: 6 }, () => 'HooksError'))
  expect((await ui.find({ key: 'name' })).text).toBe('v')
})
test('select', async ($: any) => {
  const ui = await mount($)
  expect(await each([() => ui.select({ key: 'pick', value: 'b' }), () => ui.select({ key: 'pick', value: 'c' })])).toEqual([{ element: 'pick', value: 'b' }, undefined])
  expect(await log($)).toEqual([['select', 'b', event('pick', { value: 'b' })]])
  expect(await each([() => ui.select(), () => ui.select({ key: 'pick' }), () => ui.select({ key: 'pick', value: 5 }), () => ui.select({ key: 'go', value: 'b' })])).toEqual(Array.from({ length: 4 }, () => 'HooksError'))
})
test('find: what an element shows', async ($: any) => {
  const ui = await mount($)
  const all = await ui.findAll({})
  expect(all.map((f: any) => [f.type, f.key, f.text])).toEqual([
    ['Box', 'root', 'hello worldGoFivevlabhttps://a.examplekidlet xmd [l](https://b.example)plainD1D2loose'], ['Text', undefined, 'hello world'], ['Text', undefined, 'world'],
    ['Button', 'go', 'Go'], ['Button', 'five', 'Five'], ['Input', 'name', 'v'], ['Input', 'plain', ''], ['Select', 'pick', ''], ['Link', undefined, 'lab'], ['Link', undefined, 'https://a.examplekid'],
    ['Code', undefined, 'let x'], ['Markdown', 'md', 'md [l](https://b.example)'], ['Markdown', undefined, 'plain'], ['Button', 'dup', 'D1'], ['Button', 'dup', 'D2'],
  ])
  expect(Object.keys(all[1])).toEqual(['type', 'key', 'props', 'text', 'children'])
  expect([all[1].props, all[3].children, all[1].children]).toEqual([{}, [], ['hello ', { type: 'Text', props: { bold: true }, children: ['world'] }]])
})
test('find: queries', async ($: any) => {
  const ui = await mount($)
  const types = async (q: any) => (await ui.findAll(q)).map((f: any) => f.type)
  expect([await types({ type: 'Nothing' }), await types({ text: 'Hello' }), await types({ text: /^hello world$/ }), await types({ type: undefined, key: 'go' }), await types({ key: 'dup' }), await types({ type: 'Text', text: 'world' })]).toEqual([
    [], [], ['Text'], ['Button'], ['Button', 'Button'], ['Text', 'Text'],
  ])
  expect((await ui.find({ text: '' })).key).toBe('root')
  const every = /o/g
  expect([(await types({ text: every })).length, (await types({ text: every })).length]).toEqual([4, 4])
  expect(await each([() => ui.find(), () => ui.findAll(), () => ui.find('x'), () => ui.find({ text: 5 }), () => ui.find({ key: 5 }), () => ui.find({ type: 5 }), () => ui.find({ in: 'none' }), () => ui.drawn({ in: 'none' })])).toEqual([
    'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'HooksError', 'HooksError',
  ])
})
test('a redraw that is refused, and one that is not', async ($: any) => {
  const ui = await mount($, { requestId: 'later' })
  expect(await each([() => ui.redraw({ bad: true }), () => ui.drawn(), () => ui.find({ key: 'go' }), () => ui.press({ key: 'go' }), () => ui.redraw({})])).toEqual(['HooksError', 'HooksError', 'HooksError', 'HooksError', undefined])
  expect((await ui.find({ key: 'go' })).key).toBe('go')
  expect(await each([() => ui.redraw(5), () => ui.redraw(null)])).toEqual(['HooksError', 'HooksError'])
})
test('after unmount every act rejects', async ($: any) => {
  const ui = await mount($)
  await ui.unmount()
  expect(await each([
    () => ui.unmount(), () => ui.drawn(), () => ui.find({}), () => ui.findAll({}), () => ui.press({ key: 'go' }), () => ui.input({ key: 'name', text: '' }), () => ui.select({ key: 'pick', value: 'a' }),
    () => ui.key({ key: 'a' }), () => ui.pointer({ type: 'down', x: 1, y: 1 }), () => ui.post(1), () => ui.advance(5), () => ui.resize({ columns: 1, rows: 1 }), () => ui.redraw(), () => $.ui.press({ plugin: P, key: 'go' }),
  ])).toEqual(Array.from({ length: 14 }, () => 'HooksError'))
  const again = await mount($)
  expect((await again.find({ key: 'go' })).key).toBe('go')
})
test('$.ui.press, input and select look for the drawing themselves', async ($: any) => {
  await mount($)
  expect(await each([
    () => $.ui.press({ plugin: P, key: 'go' }), () => $.ui.press({ plugin: P, key: 'go', requestId: 'r', surface: 'terminal' }), () => $.ui.press({ plugin: P, key: 'md', link: { href: 'https://b.example' } }),
    () => $.ui.input({ plugin: P, key: 'name', text: 'q' }), () => $.ui.select({ plugin: P, key: 'pick', value: 'b' }),
  ])).toEqual([{ element: 'go' }, { element: 'go' }, { element: 'md' }, { element: 'name', value: 'q' }, { element: 'pick', value: 'b' }])
  expect((await log($)).map((row: any) => row[0])).toEqual(['press', 'press', 'link', 'submit', 'select'])
  expect(await each([
    () => $.ui.press(), () => $.ui.press({}), () => $.ui.press({ plugin: P }), () => $.ui.press({ plugin: P, element: 'go' }), () => $.ui.input({ plugin: P, key: 'name', value: 'q' }),
    () => $.ui.press({ plugin: P, key: 'none' }), () => $.ui.press({ plugin: 'other', key: 'go' }), () => $.ui.press({ plugin: P, key: 'go', requestId: 'other' }),
  ])).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'HooksError', 'HooksError', 'HooksError'])
})
test('two drawings hold the button: which is meant has to be said', async ($: any) => {
  await mount($, { requestId: 'a' })
  await mount($, { requestId: 'b' })
  await mount($, { requestId: 'b', surface: 'desktop' })
  expect(await each([
    () => $.ui.press({ plugin: P, key: 'go' }), () => $.ui.press({ plugin: P, key: 'go', requestId: 'a' }), () => $.ui.press({ plugin: P, key: 'go', requestId: 'b' }), () => $.ui.press({ plugin: P, key: 'go', surface: 'desktop' }),
  ])).toEqual(['HooksError', { element: 'go' }, 'HooksError', { element: 'go' }])
  expect((await log($)).map((row: any) => [row[1].requestId, row[1].surface])).toEqual([['a', 'terminal'], ['b', 'desktop']])
})
