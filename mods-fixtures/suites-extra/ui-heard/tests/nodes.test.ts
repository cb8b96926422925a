import { expect, test } from 'claude-code/testing'

const draw = async ($: any, surface: string, spec: unknown) => {
  const ui = await $.ui.mount({ plugin: 'ui-heard', surface, component: 'Pane', requestId: 'p', props: { spec } })
  const { part, press, ...drawn } = await ui.drawn()
  await ui.unmount()
  return drawn.children?.[0] === 'refused' ? 'refused' : drawn
}
const el = (t: string, p: object = {}, ...c: unknown[]) => ({ t, p, c })
const button = (...c: unknown[]) => el('Button', { key: 'k', label: 'l', onPress: 'a function' }, ...c)
const link = el('Link', { href: 'https://a.example/' })
const picture = (generation: unknown) => el('Image', { source: { file: '/a.png', format: 'png', generation }, columns: 1, rows: 1, alt: 'a' })
const BOX = { type: 'Box' }

// A surface, what is drawn, and what stands.
const CASES: [string, unknown, unknown][] = [
  ['terminal', { type: 'Box', props: {} }, { type: 'Box', props: {} }],
  ['terminal', { type: 'Text', props: {}, children: [] }, { type: 'Text', props: {}, children: [] }],
  ['terminal', { type: 'Box', props: { key: true } }, { type: 'Box', props: {} }],
  ['terminal', { type: 'Text', props: { key: 'k' }, children: ['x'] }, 'refused'],
  ['terminal', { type: 'Box', props: { ref: 1 } }, 'refused'],
  ['terminal', { type: 'engine', ref: 3, more: 1 }, { type: 'engine', ref: 3 }],
  ['terminal', { type: 'engine', ref: 1.5 }, 'refused'],
  ['terminal', el('Box', { key: '' }), { type: 'Box', props: {} }],
  ['terminal', el('Box', { key: true }), BOX],
  ['terminal', el('Box', { key: { a: 1 } }), BOX],
  ['terminal', el('Box', { ref: 'a function' }), BOX],
  ['terminal', el('Box', { borderStyle: 'none' }), { type: 'Box', props: {} }],
  ['terminal', el('Box', {}, 'a bigint'), 'refused'],
  ['terminal', el('Button', { key: null, label: 'l', onPress: 'a function' }), { type: 'Button', props: { key: 'l', label: 'l' } }],
  ['terminal', button(link), 'refused'],
  ['terminal', button(el('Text', {}, link)), 'refused'],
  ['terminal', button(el('Text', {}, 'x')), { type: 'Button', props: { key: 'k', label: 'l' }, children: [{ type: 'Text', children: ['x'] }] }],
  ['terminal', el('Markdown', { key: 'a\u0007', text: 'x' }), 'refused'],
  ['terminal', picture(1.5), 'refused'],
  ['terminal', picture(-1), 'refused'],
  ['terminal', el('Text', { weight: 'bold' }, 'x'), { type: 'Text', props: { weight: 'bold' }, children: ['x'] }],
  ['desktop', el('Text', { weight: 'bold' }, 'x'), { type: 'Text', props: { weight: 'bold', bold: true }, children: ['x'] }],
  ['mobile', el('Text', { weight: 'semibold', bold: false }, 'x'), { type: 'Text', props: { weight: 'semibold', bold: true }, children: ['x'] }],
  ['vscode', el('Text', { weight: 'medium', bold: true }, 'x'), { type: 'Text', props: { weight: 'medium' }, children: ['x'] }],
]
CASES.forEach(([surface, spec, expected], at) => {
  test(`node ${at + 1} on ${surface}`, async ($: any) => { expect(await draw($, surface, spec)).toEqual(expected) })
})
