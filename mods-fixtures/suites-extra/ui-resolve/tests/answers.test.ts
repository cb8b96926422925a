import { expect, test } from 'claude-code/testing'

// One mod answers for many components, each in a way of its own: a plugin of a test is its text, so nothing can be handed to it.
const OUTER = {
  name: 'outer', tier: 'prepend' as const,
  register(on: any) {
    on('ui.resolve', { surface: 'terminal' }, async ($: any, e: any, next: any) => {
      switch (e.component) {
        case 'UserMessage': return null
        case 'AssistantMessage': return []
        case 'CodeBlock': return 'Text'
        case 'ToolUse': return () => 1
        case 'ToolResult': return { deny: 'no' }
        case 'ToolGroup': await next(e); return
        case 'ToolProgress': throw new Error('thrown')
      }
      const t = await next(e)
      switch (e.component) {
        case 'CommandOutput': throw new Error('thrown')
        case 'Spinner': return { ...t, Text: 'Box' }
        case 'TurnDuration': return { ...t, get Text() { return t.Box } }
        case 'InfoNotice': return { ...t, Text: undefined }
        case 'Welcome': return {}
        case 'SessionMode': { const { Text, ...rest } = t; return rest }
        case 'PromptHint': return { Text: t.Text }
        case 'StatusLine': return { Link: t.Link, Text: () => ({ type: 'Text', children: ['by hand'] }) }
        case 'AbovePrompt': return { ...t, Foo: t.Text }
        case 'AgentRow': return { ...t, Text: t.Box, Link: t.Text }
        case 'ContextMenu': return Object.create(t)
        case 'Placed': return new Map(Object.entries(t))
        case 'Backdrop': return { ...t, [Symbol('x')]: 1 }
        case 'Pane': return next({ ...e, surface: 'mobile', component: 'Spinner' })
      }
      return t
    })
  },
}
const ABOVE = {
  name: 'above', tier: 'prepend' as const,
  register(on: any) {
    const outcomes: Record<string, string> = {}
    on('ui.resolve', { surface: 'terminal' }, async ($: any, e: any, next: any) => {
      const t = await next(e)
      if (next.origin.plugin === 'test') outcomes[e.component] = next.trace[0].outcome
      return t
    })
    on('command.run', { command: 'outcomes' }, async () => ({ text: JSON.stringify(outcomes) }))
  },
}
const plugins = [ABOVE, OUTER]
const drawn = async ($: any, component: string, requestId = 'made') => {
  const ui = await $.ui.mount({ plugin: 'ui-resolve', surface: 'terminal', component, requestId, props: {} })
  return (await ui.find({})).text
}
const TEXT = '{"type":"Text","children":["a"]}'
const LINK = '{"type":"Link","props":{"href":"https://a.example/"},"children":["a"]}'
const FRAGMENT = '{"type":"Box","props":{"flexDirection":"column"},"children":["a"]}'
const PLAIN = `${TEXT} ${LINK} "undefined"`

const WANTED: Record<string, [string, string, string]> = {
  UserMessage: ['null', PLAIN, 'skipped'],
  AssistantMessage: ['a list', PLAIN, 'skipped'],
  CodeBlock: ['text', PLAIN, 'skipped'],
  ToolUse: ['a function', PLAIN, 'skipped'],
  ToolResult: ['an entry that is no constructor', PLAIN, 'skipped'],
  ToolGroup: ['nothing, after next', PLAIN, 'kept'],
  ToolProgress: ['an error', PLAIN, 'skipped'],
  CommandOutput: ['an error, after next', PLAIN, 'kept'],
  Spinner: ['text in the place of a constructor', PLAIN, 'kept'],
  TurnDuration: ['a getter in the place of a constructor', PLAIN, 'kept'],
  InfoNotice: ['undefined in the place of a constructor', PLAIN, 'kept'],
  Welcome: ['an empty table', `${FRAGMENT} ${FRAGMENT} "undefined"`, 'returned'],
  SessionMode: ['a table without Text', `${FRAGMENT} ${LINK} "undefined"`, 'returned'],
  PromptHint: ['a table of Text alone', `${TEXT} ${FRAGMENT} "undefined"`, 'returned'],
  StatusLine: ['a table made from scratch', `{"type":"Text","children":["by hand"]} ${LINK} "undefined"`, 'returned'],
  AbovePrompt: ['an element more', `${TEXT} ${LINK} "function"`, 'returned'],
  AgentRow: ['elements under other names', '{"type":"Box","children":["a"]} {"type":"Text","props":{"href":"https://a.example/"},"children":["a"]} "undefined"', 'returned'],
  ContextMenu: ['an object that inherits from the table', `${FRAGMENT} ${FRAGMENT} "undefined"`, 'returned'],
  Placed: ['a Map', `${FRAGMENT} ${FRAGMENT} "undefined"`, 'returned'],
  Backdrop: ['a symbol more', PLAIN, 'returned'],
  Pane: ['the table for another surface and component', PLAIN, 'returned'],
}
for (const [component, [answer, made, outcome]] of Object.entries(WANTED)) {
  test(`the answer is ${answer}`, { plugins }, async ($: any) => {
    expect(await drawn($, component)).toBe(made)
    expect(JSON.parse((await $.command.run({ command: 'outcomes', args: '' })).text)[component]).toBe(outcome)
  })
}

test('what is missing comes last', { plugins }, async ($: any) => {
  expect(await drawn($, 'SessionMode', 'keys')).toBe('Box Button Input Select Link Code Markdown Progress Client Raster Image Svg Shader Text true true null')
  expect(await drawn($, 'StatusLine', 'keys')).toBe('Link Text Box Button Input Select Code Markdown Progress Client Raster Image Svg Shader true true null')
})

const ARGUMENTS = {
  name: 'arguments', tier: 'prepend' as const,
  register(on: any) {
    const failed: string[] = []
    on('ui.resolve', { surface: 'terminal' }, async ($: any, e: any, next: any) => {
      if (next.origin.plugin !== 'test') return next(e)
      try {
        switch (e.component) {
          case 'Spinner': await next({ ...e, component: 'Nope' }); break
          case 'Pane': await next({ surface: 'terminal' }); break
          case 'ToolUse': await next({ component: 'Pane' }); break
          case 'ToolResult': await next(); break
          case 'Welcome': await next({ ...e, more: 1 }); break
        }
      } catch (x: any) { failed.push(`${e.component} ${x.name}`) }
      return next(e)
    })
    on('command.run', { command: 'failed' }, async () => ({ text: failed.sort().join(', ') }))
  },
}
test('next takes a surface and a component that there are', { plugins: [ARGUMENTS] }, async ($: any) => {
  expect((await $.command.run({ command: 'failed', args: '' })).text).toBe('Pane HooksError, Spinner HooksError, ToolResult HooksError, ToolUse HooksError')
})

const CAUGHT = {
  name: 'caught', tier: 'prepend' as const,
  register(on: any) {
    on('ui.resolve', { component: 'Pane' }, async () => { throw new Error('thrown') }).catch(async ($: any, e: any, next: any) => {
      const t = await next(e)
      return { ...t, Text: (p: any) => t.Text({ ...p, color: next.error.kind === 'throw' ? 'red' : 'blue' }) }
    })
  },
}
test('a catch answers in the place of its hook', { plugins: [CAUGHT] }, async ($: any) => {
  const ui = await $.ui.mount({ plugin: 'ui-resolve', surface: 'terminal', component: 'Pane', requestId: 'in-box', props: {} })
  expect((await ui.find({ type: 'Text' })).props).toEqual({ color: 'red' })
})
