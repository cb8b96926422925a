import { expect, test } from 'claude-code/testing'

const OUTER = {
  name: 'outer', tier: 'prepend' as const,
  register(on: any) {
    const done: string[] = []
    on('ui.render', { component: 'Pane' }, async ($: any, e: any, next: any) => {
      const { Box, Text, Button } = $.ui.resolve(e)
      const tree = await next(e)
      const [text, button, input] = tree.children
      switch (e.requestId) {
        case 'see': return Text({ children: [JSON.stringify([Object.isFrozen(tree), Object.keys(tree), Object.keys(button), button.press?.plugin, typeof button.press?.handle, typeof button.onPress])] })
        case 'own': return Box({ children: [tree, Button({ key: 'mine', label: 'Mine', onPress: () => { done.push('outer mine') } })] })
        case 'same-key': return Box({ children: [Button({ key: 'go', label: 'Mine', onPress: () => { done.push('outer go') } }), tree] })
        case 'twice': return Box({ children: [tree, tree] })
        case 'button-twice': return Box({ children: [button, button] })
        case 'only-button': return button
        case 'json': return JSON.parse(JSON.stringify(tree))
        case 'relabel': return Box({ children: [{ ...button, props: { ...button.props, label: 'Renamed' } }] })
        case 'rekey': return Box({ children: [{ ...button, props: { ...button.props, key: 'other' } }] })
        case 'no-press': { const { press, ...rest } = button; return Box({ children: [rest] }) }
        case 'forged': return Box({ children: [{ ...button, press: { plugin: 'ui-layers', handle: 987654321 } }] })
        case 'taken': return Box({ children: [{ ...button, press: { plugin: 'outer', handle: button.press.handle } }] })
        case 'other-prop': return Box({ children: [{ ...text, props: { italic: true } }] })
        case 'bad-prop': return Box({ children: [{ ...text, props: { zIndex: 1 } }] })
        case 'mutate': tree.children.push('added'); return tree
        case 'again': { const second = await next({ ...e, props: { ...e.props, note: 'second' } }); return Box({ children: [second] }) }
        case 'input-moved': return Box({ children: [input] })
      }
      return tree
    }).catch(async ($: any, e: any, next: any) => { const { Text } = $.ui.resolve(e); return Text({ children: ['refused'] }) })
    on('command.run', { command: 'outer-done' }, async () => ({ text: done.splice(0).join(' | ') }))
  },
}
const P = 'ui-layers'
const mount = ($: any, requestId: string) => $.ui.mount({ plugin: P, surface: 'terminal', component: 'Pane', requestId, props: {} })
const text = async ($: any, command: string) => (await $.command.run({ command, args: '' })).text
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }
const types = async (ui: any) => (await ui.findAll({})).map((f: any) => f.type).join(' ')
const with2 = { plugins: [OUTER] }

test('what a mod above gets to see', with2, async ($: any) => {
  const ui = await mount($, 'see')
  expect(JSON.parse((await ui.find({})).text)).toEqual([false, ['type', 'props', 'children', 'part'], ['type', 'props', 'press'], 'ui-layers', 'number', 'undefined'])
})
// A drawing: its elements, its text; what pressing `go`, `other` and `mine` gives, as the mod's own and as the outer one's;
// what typing gives; and whose callbacks ran.
const WANTED: Record<string, unknown[]> = {
  "own": ["Box Box Text Button Input Button", "inner plainGoMine", {"element": "go"}, "HooksError", "HooksError", "HooksError", "HooksError", {"element": "mine"}, {"element": "name", "value": "me"}, "inner go | inner me", "outer mine"],
  "same-key": ["Box Button Box Text Button Input", "Mineinner plainGo", {"element": "go"}, {"element": "go"}, "HooksError", "HooksError", "HooksError", "HooksError", {"element": "name", "value": "me"}, "inner go | inner me", "outer go"],
  "twice": ["Text", "refused", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "", ""],
  "button-twice": ["Box Button Button", "GoGo", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "", ""],
  "only-button": ["Button", "Go", {"element": "go"}, "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "inner go", ""],
  "json": ["Box Text Button Input", "inner plainGo", {"element": "go"}, "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", {"element": "name", "value": "me"}, "inner go | inner me", ""],
  "relabel": ["Box Button", "Renamed", {"element": "go"}, "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "inner go", ""],
  "rekey": ["Box Button", "Go", "HooksError", "HooksError", {"element": "other"}, "HooksError", "HooksError", "HooksError", "HooksError", "inner go", ""],
  "no-press": ["Text", "refused", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "", ""],
  "forged": ["Text", "refused", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "", ""],
  "taken": ["Text", "refused", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "", ""],
  "other-prop": ["Box Text", "inner plain", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "", ""],
  "bad-prop": ["Text", "refused", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "", ""],
  "mutate": ["Box Text Button Input", "inner plainGoadded", {"element": "go"}, "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", {"element": "name", "value": "me"}, "inner go | inner me", ""],
  "again": ["Box Box Text Button Input", "inner secondGo", {"element": "go"}, "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", {"element": "name", "value": "me"}, "inner go | inner me", ""],
  "input-moved": ["Box Input", "", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", "HooksError", {"element": "name", "value": "me"}, "inner me", ""],
}
for (const [requestId, wanted] of Object.entries(WANTED)) test(requestId, with2, async ($: any) => {
  const ui = await mount($, requestId)
  const seen: unknown[] = [await types(ui), (await ui.find({})).text]
  for (const key of ['go', 'other', 'mine']) seen.push(await outcome(() => ui.press({ key })), await outcome(() => ui.press({ key, plugin: 'outer' })))
  seen.push(await outcome(() => ui.input({ key: 'name', text: 'me' })), await text($, 'done'), await text($, 'outer-done'))
  expect(seen).toEqual(wanted)
})
