import { expect, test } from 'claude-code/testing'

const P = 'ui-redraws'
const mount = ($: any, requestId: string, more: object = {}) => $.ui.mount({ plugin: P, surface: 'terminal', component: 'Pane', props: {}, requestId, ...more })
const render = ($: any, requestId: string) => $.ui.render({ surface: 'desktop', component: 'Pane', requestId, props: {} })
const run = async ($: any, command: string) => (await $.command.run({ command, args: '' })).text
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }
const shown = async (ui: any, where: object = {}) => (await ui.find({ type: 'Text', ...where })).text
const plain = (node: any): any => typeof node === 'string' ? node : [node.type, node.props ?? {}, ...(node.children ?? []).map(plain)]

const ABOVE = {
  name: 'above', tier: 'prepend' as const,
  register(on: any) { on('ui.message', async () => ({ props: { taken: 1 } })) },
}
const SEES = {
  name: 'sees', tier: 'prepend' as const,
  register(on: any) {
    on('ui.render', { component: 'Pane' }, async ($: any, e: any, next: any) => $.ui.resolve(e).Text({ children: [JSON.stringify(await next(e))] }))
  },
}

test('two writes, one run', async ($: any) => {
  const ui = await mount($, 'atoms')
  await ui.press({ key: 'twice' })
  expect(await shown(ui)).toBe('n 2 draws 2')
  await run($, 'twice')
  expect(await shown(ui)).toBe('n 4 draws 3')
})
test('two invalidations, one run', async ($: any) => {
  const ui = await mount($, 'plain')
  await run($, 'invalidate')
  expect(await shown(ui)).toBe('draws 2')
})
test('an invalidation that a hook answers', async ($: any, on: any) => {
  on('ui.invalidate', () => ({ value: undefined }))
  const ui = await mount($, 'plain')
  await run($, 'invalidate')
  expect(await shown(ui)).toBe('draws 1')
})
test('an invalidation by a mod without a part in the drawing', async ($: any, on: any) => {
  let runs = 0
  on('ui.render', { component: 'AbovePrompt' }, () => { runs++; return { type: 'engine', ref: 5 } })
  const ui = await mount($, 'plain', { component: 'AbovePrompt' })
  await run($, 'invalidate')
  await ui.drawn()
  expect(runs).toBe(1)
})
test('what a render gives', async ($: any) => {
  const drawn = plain(await render($, 'raw'))
  expect(drawn.slice(0, 4)).toEqual(['Box', {}, ['Text', { bold: true, weight: 'semibold' }, 'b'], ['Text', {}, 'q']])
})
test('what a mod above gets', { plugins: [SEES] }, async ($: any) => {
  expect(plain(JSON.parse((await render($, 'raw')).children[0]))).toEqual(['Box', {}, ['Text', { bold: true }, 'b'], ['Link', { href: 'ftp://x' }, 'q'], ['Progress', { label: 'p', value: 1, max: 2 }]])
})
test('what is pressed in a render', async ($: any) => {
  await render($, 'plain')
  expect(await $.ui.press({ plugin: P, key: 'go' })).toEqual({ element: 'go' })
  expect(JSON.parse(await run($, 'seen'))).toEqual([{ plugin: P, element: 'go', component: 'Pane', requestId: 'plain', surface: 'desktop' }, true])
})
test('a refused tree', async ($: any) => {
  expect([await outcome(() => mount($, 'refused')), (await render($, 'refused')).type]).toEqual(['HooksError', 'engine'])
})
test('controls of a Client', async ($: any) => {
  const ui = await mount($, 'client')
  expect([await ui.press({ key: 'cb' }), await ui.input({ key: 'ci', text: 'q' }), await $.ui.press({ plugin: P, key: 'cb' })]).toEqual([{ element: 'cb' }, { element: 'ci', value: 'q' }, { element: 'cb' }])
  const event = { plugin: P, component: 'Pane', requestId: 'client\0client\0c', surface: 'terminal' }
  expect(JSON.parse(await run($, 'seen'))).toEqual([{ ...event, element: 'cb' }, { ...event, element: 'ci', kind: 'submit', value: 'q' }, { ...event, element: 'cb' }])
  expect(await shown(ui, { in: 'c' })).toBe('[{},"q"]')
})
test('what a Client posts is its own mod\'s', { plugins: [ABOVE] }, async ($: any) => {
  const ui = await mount($, 'client')
  expect(await ui.post({ a: 1 })).toBeUndefined()
  expect(await shown(ui, { in: 'c' })).toBe('[{},null]')
})
test('links, and buttons that are not', async ($: any, on: any) => {
  const drawn: any[] = []
  on('ui.render', { component: 'AbovePrompt' }, ($: any, e: any) => ({ type: 'Link', props: e.props }))
  for (const [id, props] of Object.entries({ a: { href: 'ftp://x', label: 'lab' }, b: { href: 'ftp://x' }, c: { href: 'http://127.0.0.1/' }, d: { href: 'http://localhost:3/' }, e: { href: 'https://a.example' } })) {
    drawn.push(plain(await (await mount($, id, { component: 'AbovePrompt', surface: 'desktop', props })).drawn()))
  }
  expect(drawn).toEqual([['Text', {}, 'lab'], ['Text', {}, 'ftp://x'], ['Text', {}, 'http://127.0.0.1/'], ['Link', { href: 'http://localhost:3/' }], ['Link', { href: 'https://a.example' }]])
})
