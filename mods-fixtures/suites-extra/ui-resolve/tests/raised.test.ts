import { expect, test } from 'claude-code/testing'

const COMPONENTS = ['AskUserQuestion', 'UserMessage', 'AssistantMessage', 'CodeBlock', 'ToolUse', 'ToolResult', 'ToolGroup', 'ToolProgress', 'CommandOutput', 'Spinner', 'TurnDuration', 'InfoNotice', 'Welcome', 'SessionMode', 'PromptHint', 'StatusLine', 'AbovePrompt', 'AbovePromptList', 'BesidePrompt', 'BesidePromptList', 'AgentRow', 'ContextMenu', 'Pane', 'Placed', 'Backdrop', 'Underlay', 'UnderlayList']
const SURFACES = ['terminal', 'desktop', 'mobile', 'vscode']
const origins = async ($: any) => JSON.parse((await $.command.run({ command: 'origins', args: '' })).text) as string[]
const all = (who: string) => SURFACES.flatMap((surface) => COMPONENTS.map((component) => `${who} ${surface} ${component}`))
const keys = async ($: any, surface: string) => (await (await $.ui.mount({ plugin: 'ui-resolve', surface, component: 'Pane', requestId: 'keys', props: {} })).find({})).text

const COUNTER = {
  name: 'counter', tier: 'prepend' as const,
  register(on: any) {
    const origins: string[] = []
    on('ui.resolve', ($: any, e: any, next: any) => { origins.push(`${next.origin.plugin} ${next.origin.tier} ${e.surface} ${e.component}`); return next(e) })
    on('command.run', { command: 'origins' }, async () => ({ text: JSON.stringify(origins) }))
  },
}
test('once for each mod, surface and component, for the test too; never again', { plugins: [COUNTER] }, async ($: any) => {
  await keys($, 'terminal')
  await keys($, 'desktop')
  expect((await origins($)).sort()).toEqual([...all('ui-resolve user'), ...all('test builtin')].sort())
})

const OUTER = {
  name: 'outer', tier: 'prepend' as const,
  register(on: any) {
    const seen: string[] = []
    on('engine.create', ($: any, e: any, next: any) => { seen.push('engine.create'); return next(e) })
    on('ui.resolve', { component: 'Pane', surface: 'terminal' }, async ($: any, e: any, next: any) => {
      seen.push(`for ${next.origin.plugin}`)
      const given = await next(e)
      if (next.origin.plugin === 'test') seen.push(JSON.stringify([e, Object.isFrozen(e), Object.isFrozen(given), Object.getPrototypeOf(given), next.budget.ms, next.is('ui.*', e), next.trace.map((t: any) => [t.index, t.plugin, t.tier, t.outcome, t.received, t.returned])]))
      return given
    })
    on('ui.*', ($: any, e: any, next: any) => { if (e.component === 'Pane' && e.surface === 'desktop' && next.event === 'ui.resolve') seen.push(`ui.* for ${next.origin.plugin}`); return next(e) })
    on('*', ($: any, e: any, next: any) => { if (e.component === 'Pane' && e.surface === 'mobile' && next.event === 'ui.resolve') seen.push(`* for ${next.origin.plugin}`); return next(e) })
    on('session.start', ($: any, e: any, next: any) => { seen.push('session.start'); return next(e) })
    on('command.run', { command: 'seen' }, async () => ({ text: JSON.stringify(seen) }))
  },
}
const APPENDED = { name: 'appended', tier: 'append' as const, register(on: any) { on('ui.resolve', { surface: 'terminal', component: 'Pane' }, ($: any, e: any, next: any) => next(e)) } }

test('for mods that do not draw, never to the own hooks', { plugins: [APPENDED, COUNTER] }, async ($: any) => {
  expect((await origins($)).sort()).toEqual([...all('ui-resolve user'), ...all('appended append'), ...all('test builtin')].sort())
})

test('what a hook gets, and when', { plugins: [OUTER, APPENDED] }, async ($: any, on: any) => {
  on('session.start', () => ({ cwd: '/' }))
  await $.session.start({ source: 'startup', cwd: '/', surface: 'terminal', isInteractive: true })
  const seen = JSON.parse((await $.command.run({ command: 'seen', args: '' })).text) as string[]
  expect(seen[0]).toBe('engine.create')
  expect(seen.at(-1)).toBe('session.start')
  expect(seen.filter((one) => /^(ui|\*|for)/.test(one)).sort()).toEqual(['* for appended', '* for test', '* for ui-resolve', 'for appended', 'for test', 'for ui-resolve', 'ui.* for appended', 'ui.* for test', 'ui.* for ui-resolve'])
  const e = { surface: 'terminal', component: 'Pane' }
  const beneath = [[1, 'appended', 'append', 'returned', e, {}], [2, 'engine', 'core', 'returned', e, {}]]
  expect(JSON.parse(seen.find((one) => one.startsWith('['))!)).toEqual([e, true, true, null, 10000, true, beneath])
})

const ORDER: Record<string, string> = {
  terminal: 'Box Text Button Input Select Link Code Markdown Progress Client Raster Image Svg Shader',
  desktop: 'Box Text Button Input Select Svg Link Code Markdown Progress Client Shader Raster Image',
  mobile: 'Box Text Button Input Select Svg Link Code Markdown Progress Shader Client Raster Image',
  vscode: 'Box Text Button Input Select Svg Link Code Markdown Progress Client Raster Image Shader',
}
for (const surface of SURFACES) test(`the table of ${surface}`, async ($: any) => {
  expect(await keys($, surface)).toBe(`${ORDER[surface]} true true null`)
})

test('a test may restyle as well', async ($: any, on: any) => {
  on('ui.resolve', async ($: any, e: any, next: any) => { const t = await next(e); return { ...t, Text: (p: any) => t.Text({ ...p, italic: true }) } })
  const ui = await $.ui.mount({ plugin: 'ui-resolve', surface: 'terminal', component: 'Pane', requestId: 'in-box', props: {} })
  expect((await ui.find({ type: 'Text' })).props).toEqual({ italic: true })
})

const TWICE = {
  name: 'above', tier: 'prepend' as const,
  register(on: any) {
    on('ui.resolve', async ($: any, e: any, next: any) => { const t = await next(e); return { ...t, Box: (p: any) => t.Box({ ...p, gap: (p.gap ?? 0) * 10 + 1, children: [...p.children, 'above'] }) } })
  },
}
const BELOW = {
  name: 'below', tier: 'append' as const,
  register(on: any) {
    on('ui.resolve', async ($: any, e: any, next: any) => { const t = await next(e); return { ...t, Box: (p: any) => t.Box({ ...p, gap: (p.gap ?? 0) * 10 + 2, children: [...p.children, 'below'] }) } })
  },
}
test('two that restyle the same element: the outer one first', { plugins: [TWICE, BELOW] }, async ($: any) => {
  const ui = await $.ui.mount({ plugin: 'ui-resolve', surface: 'terminal', component: 'Pane', requestId: 'in-box', props: {} })
  expect(await ui.drawn()).toEqual({ type: 'Box', props: { gap: 12 }, children: [{ type: 'Text', children: ['hi'] }, 'above', 'below'], part: { plugin: 'ui-resolve' } })
})
