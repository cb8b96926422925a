import { expect, test } from 'claude-code/testing'
import { EXPECTED } from './expected.js'

const SURFACES = ['terminal', 'desktop', 'vscode', 'mobile']
const draw = async ($: any, surface: string, requestId: string) => {
  const ui = await $.ui.mount({ plugin: 'ui-limits', surface, component: 'Pane', requestId, props: {} })
  const all = await ui.findAll({})
  await ui.unmount()
  if (all[0].text === 'refused') return 'refused'
  return all.length > 8 ? String(all.length) : all.map((f: any) => f.type).join(' ')
}

test('every case has an expectation', async ($: any) => {
  expect(JSON.parse((await $.command.run({ command: 'names', args: '' })).text)).toEqual(Object.keys(EXPECTED))
})
SURFACES.forEach((surface, index) => test(`on ${surface}`, { timeoutMs: 60000 }, async ($: any, on: any) => {
  // The engine's own drawing, for the cases that ask for it.
  on('ui.render', () => ({ type: 'engine', ref: 0 }))
  for (const [name, wanted] of Object.entries(EXPECTED)) expect(await draw($, surface, name), name).toBe(wanted.length === 1 ? wanted[0] : wanted[index])
}))
