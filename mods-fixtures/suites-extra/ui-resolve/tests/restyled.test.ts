import { expect, test } from 'claude-code/testing'

// Restyles by component; see answers.test.ts.
const OUTER = {
  name: 'outer', tier: 'prepend' as const,
  register(on: any) {
    const log: string[] = []
    const show = (value: any): any => value === undefined ? 'undefined' : JSON.stringify(value).replace(/"handle":-?\d+/g, '"handle":0')
    on('ui.resolve', { surface: 'terminal' }, async ($: any, e: any, next: any) => {
      const t = await next(e)
      switch (e.component) {
        case 'Pane': return {
          ...t,
          Text: function (this: any, ...args: any[]) { log.push(`${this} ${args.length} ${Object.isFrozen(args[0])} ${show(args[0])}`); return t.Text({ ...args[0], color: 'red' }) },
          Box: (p: any) => { log.push(`${Object.keys(p)} ${show(p)}`); return t.Box({ ...p, borderStyle: 'round' }) },
          Button: (p: any) => { log.push(`${Object.keys(p)} ${typeof p.onPress} ${show(t.Button(p))}`); return t.Box({ children: [t.Button({ ...p, label: 'Other' })] }) },
          Input: (p: any) => { log.push(show(p)); return t.Input({ ...p, placeholder: 'type' }) },
          Select: (p: any) => { log.push(show(p)); return t.Select({ ...p, label: 'choose' }) },
          Markdown: (p: any) => { log.push(show(p)); return t.Markdown({ ...p, dimColor: true }) },
          Code: () => { throw new TypeError('no code') },
          Foo: (p: any) => { log.push(show(p)); return t.Box({ children: p.children }) },
        }
        case 'Spinner': return { ...t, Text: () => null, Code: () => { throw 'just text' }, Button: (p: any) => t.Button({ ...p, onPress: () => { log.push('the outer one pressed') } }) }
        case 'Welcome': return { ...t, Text: () => t.Button({ key: 'b', label: 'new' }), Button: (p: any) => t.Button({ ...p, key: 'other' }) }
        case 'CommandOutput': return { ...t, Text: () => 'text' }
        case 'StatusLine': return { ...t, Button: (p: any) => t.Box({ children: [t.Button(p), t.Button(p)] }) }
        case 'ToolProgress': return { ...t, Box: () => t.Box({ children: [t.Button({ key: 'b', label: 'new' })] }) }
        case 'ToolGroup': return { ...t, Text: (p: any) => [t.Text(p), t.Text(p)], Box: (p: any) => t.Box({ children: p.children.map((child: any) => ({ ...child, more: 1 })) }) }
        case 'PromptHint': return { ...t, Button: (p: any) => t.Box({ children: [t.Button(p), t.Button({ key: 'own', label: 'Own', onPress: () => {} })] }), Box: (p: any) => t.Box({ children: [{ ...p.children[0], press: { plugin: 'ui-resolve', handle: 987654321 } }] }) }
        case 'ToolUse': return { ...t, Text: (p: any) => t.Text({ ...p, zIndex: 1 }), Button: (p: any) => t.Input({ key: p.key }) }
        case 'ToolResult': return { ...t, Text: async (p: any) => t.Text(p), Button: (p: any) => t.Button({ ...p, label: 'relabelled' }) }
        case 'CodeBlock': return { ...t, Text: (p: any) => $.ui.resolve(e).Text({ ...p, italic: true }) }
      }
      return t
    })
    on('command.run', { command: 'log' }, async () => ({ text: log.splice(0).join('\n') }))
  },
}
const plugins = [OUTER]
const P = 'ui-resolve'
const mount = ($: any, requestId: string, component = 'Pane') => $.ui.mount({ plugin: P, surface: 'terminal', component, requestId, props: {} })
const text = async ($: any, command: string) => (await $.command.run({ command, args: '' })).text
const bare = (tree: any) => JSON.parse(JSON.stringify(tree, (key, value) => (key === 'handle' ? 0 : value)))
const outcome = async (f: () => unknown) => { try { return await f() } catch (x: any) { return x.name } }
const PRESS = { plugin: P, handle: 0 }
const part = { plugin: P }

test('a constructor is called at once, with data', { plugins }, async ($: any) => {
  const ui = await mount($, 'text')
  expect(await ui.drawn()).toEqual({ type: 'Text', props: { bold: true, color: 'red' }, children: ['hi', { type: 'Text', props: { color: 'red' }, children: ['in'] }], part })
  expect(await text($, 'log')).toBe('undefined 1 true {"children":["in"]}\nundefined 1 true {"bold":true,"children":["hi",{"type":"Text","props":{"color":"red"},"children":["in"]}]}')
})
test('it throws into the one who draws', { plugins }, async ($: any) => {
  expect((await (await mount($, 'code')).find({})).text).toBe('TypeError: no code')
  expect((await (await mount($, 'code', 'Spinner')).drawn())).toMatchObject({ type: 'Text' })
})
test('an element that there was not', { plugins }, async ($: any) => {
  const ui = await mount($, 'foo')
  expect(await ui.drawn()).toEqual({ type: 'Box', children: [{ type: 'Text', props: { color: 'red' }, children: ['x'] }], part })
})
test('functions do not cross, undefined does', { plugins }, async ($: any) => {
  const ui = await mount($, 'function')
  expect((await ui.find({ type: 'Box' })).props).toEqual({ borderStyle: 'round' })
  expect(await text($, 'log')).toContain('width,children {"children":')
})

test('a Button: its callback comes back', { plugins }, async ($: any) => {
  const ui = await mount($, 'button')
  expect(bare(await ui.drawn())).toEqual({ type: 'Box', children: [{ type: 'Button', props: { key: 'b', label: 'Other' }, press: PRESS }], part })
  expect(await ui.press({ key: 'b' })).toEqual({ element: 'b' })
  expect(await outcome(() => ui.press({ key: 'b', plugin: 'outer' }))).toBe('HooksError')
  expect(await text($, 'done')).toBe('pressed b')
  expect(await text($, 'log')).toBe('key,label,children undefined {"type":"Button","props":{"key":"b","label":"L"},"press":{"plugin":"","handle":0}}')
})
test('an Input, a Select, a Markdown', { plugins }, async ($: any) => {
  const input = await mount($, 'input')
  expect(bare(await input.drawn())).toEqual({ type: 'Input', props: { key: 'b', placeholder: 'type' }, press: PRESS })
  await input.input({ key: 'b', text: 'v' })
  await input.input({ key: 'b', text: 'w', kind: 'change' })
  await input.unmount()
  const select = await mount($, 'select')
  expect(bare(await select.drawn())).toEqual({ type: 'Select', props: { key: 'b', options: [{ value: 'v' }], label: 'choose' }, press: PRESS })
  await select.select({ key: 'b', value: 'v' })
  await select.unmount()
  const markdown = await mount($, 'markdown')
  expect(bare(await markdown.drawn())).toEqual({ type: 'Markdown', props: { text: '[a](https://a.example/)', key: 'b', dimColor: true }, press: PRESS })
  await markdown.press({ key: 'b', link: { href: 'https://a.example/' } })
  expect(await text($, 'done')).toBe('sent v | typed w | chose v | followed https://a.example/')
  expect(await text($, 'log')).toBe('{"key":"b","children":[]}\n{"key":"b","options":[{"value":"v"}],"children":[]}\n{"key":"b","text":"[a](https://a.example/)","children":[]}')
})

// By component and drawing: the types that are drawn, or that the hook has failed; what a press does.
const WANTED: [string, string, string, string?][] = [
  ['null is no child', 'Spinner', 'in-box', 'Box'],
  ['a callback of the other mod is not taken', 'Spinner', 'button', 'Button', 'pressed b'],
  ['what is thrown is an error', 'Spinner', 'code', 'Text'],
  ['a Button without a callback to come back', 'Welcome', 'in-box', 'caught'],
  ['a Button under another key', 'Welcome', 'button', 'caught'],
  ['text in the place of an element', 'CommandOutput', 'in-box', 'Box'],
  ['a list in the place of an element', 'ToolGroup', 'in-box', 'Box Text Text'],
  ['one callback does not serve two Buttons', 'StatusLine', 'button', 'caught'],
  ['a new Button takes the callback of a child of its key', 'ToolProgress', 'boxed', 'Box Button', 'pressed b'],
  ['a child is copied with its callback', 'ToolGroup', 'boxed', 'Box Button', 'pressed b'],
  ['a Button of the other mod alone', 'PromptHint', 'button', 'caught'],
  ['a press made up', 'PromptHint', 'boxed', 'caught'],
  ['a prop that Text has not', 'ToolUse', 'in-box', 'caught'],
  ['another element for a Button', 'ToolUse', 'button', 'caught'],
  ['a promise in the place of an element', 'ToolResult', 'text', 'caught'],
  ['another label with a key', 'ToolResult', 'button', 'Button', 'pressed b'],
  ['another label where it is the key', 'ToolResult', 'label', 'caught'],
  ['the table of the other mod itself', 'CodeBlock', 'text', 'Text Text'],
]
for (const [title, component, requestId, types, pressed] of WANTED) test(title, { plugins }, async ($: any) => {
  const ui = await mount($, requestId, component)
  const tree = await ui.drawn()
  expect(tree.children?.[0] === 'caught' ? 'caught' : (await ui.findAll({})).map((found: any) => found.type).join(' ')).toBe(types)
  if (pressed === undefined) return
  await ui.press({ key: 'b' })
  expect(await text($, 'done')).toBe(pressed)
  expect(await text($, 'log')).toBe('')
})
