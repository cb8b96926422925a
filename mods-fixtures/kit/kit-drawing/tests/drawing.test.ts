import { expect, test } from 'claude-code/testing'
import { EXPECTED } from './expected.js'

// The tree without what only says whose it is; a control of this mod's own counts as `press: true`.
const bare = (node: any): any => {
  if (typeof node === 'string') return node
  const { part, client, raster, image, ...own } = node
  if (own.press) own.press = own.press.plugin === 'kit-drawing' && typeof own.press.handle === 'number'
  return own.children ? { ...own, children: own.children.map(bare) } : own
}
const draw = async ($: any, surface: string, requestId: string) => {
  const ui = await $.ui.mount({ plugin: 'kit-drawing', surface, component: 'Pane', requestId, props: {} })
  const tree = bare(await ui.drawn())
  await ui.unmount()
  return tree.type === 'Text' && tree.children?.[0] === 'refused' ? 'refused' : tree
}

test('every case has an expectation', async ($: any) => {
  expect(JSON.parse((await $.command.run({ command: 'names', args: '' })).text)).toEqual(Object.keys(EXPECTED))
})
for (const surface of ['terminal', 'desktop']) test(`what is drawn on ${surface}`, { timeoutMs: 60000 }, async ($: any) => {
  for (const [name, wanted] of Object.entries(EXPECTED)) {
    expect(await draw($, surface, name), name).toEqual(surface === 'desktop' ? wanted.at(-1) : wanted[0])
  }
})
