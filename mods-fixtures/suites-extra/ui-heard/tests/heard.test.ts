import { expect, test } from 'claude-code/testing'

// Written out: a mod's source has to show what it hooks.
const ABOVE: Record<string, { register(on: any): void }> = {
  '*': { register(on: any) { on('*', ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  'ui.*': { register(on: any) { on('ui.*', ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  '!ui.input': { register(on: any) { on('!ui.input', ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  '* with another field': { register(on: any) { on('*', { component: 'Pane' }, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  '* with an empty matcher': { register(on: any) { on('*', {}, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  '* of any plugin': { register(on: any) { on('*', { plugin: '*' }, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  'the name': { register(on: any) { on('ui.press', ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  'the name with another field': { register(on: any) { on('ui.press', { element: 'ok' }, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  'the name of any plugin': { register(on: any) { on('ui.press', { plugin: '*' }, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  'any of a list': { register(on: any) { on('ui.press', { plugin: ['other', '*'] }, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  'ui.focus of any plugin': { register(on: any) { on('ui.focus', { plugin: '*' }, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
  'ui.message': { register(on: any) { on('ui.message', { element: 'c' }, ($: any, e: any, next: any) => { if (/^ui\.(press|input|select|focus|message)$/.test(next.event)) $.ui.log(next.event.slice(3)); return next(e) }) } },
}
const HEARD: Record<string, string> = {
  '*': 'press input select focus focus press',
  'ui.*': 'press input select focus focus press',
  '!ui.input': 'press select focus focus press',
  '* with another field': 'focus',
  '* with an empty matcher': 'focus',
  '* of any plugin': 'press input select focus focus press',
  'the name': '',
  'the name with another field': '',
  'the name of any plugin': 'press press',
  'any of a list': 'press press',
  'ui.focus of any plugin': 'focus focus',
  'ui.message': '',
}
const mount = ($: any, props: object = {}, more: object = {}) => $.ui.mount({ plugin: 'ui-heard', surface: 'terminal', component: 'Pane', requestId: 'p', props, ...more })

for (const [name, { register }] of Object.entries(ABOVE)) for (const tier of ['prepend', 'user', 'append']) {
  test(`${name}, ${tier}`, { plugins: [{ name: 'above', tier, register }] } as any, async ($: any, on: any) => {
    const heard: string[] = []
    on('ui.log', ($$: any, e: any) => { heard.push(e.text); return { value: undefined } })
    on('ui.focus', { plugin: '*' }, () => ({}))
    const ui = await mount($)
    await ui.press({ key: 'ok' }); await ui.input({ key: 'in', text: 'x' }); await ui.select({ key: 'sel', value: 'a' })
    await $.ui.focus({ component: 'Pane', requestId: 'p', origin: { kind: 'person' } })
    await $.ui.focus({ component: 'Pane', requestId: 'p', plugin: 'ui-heard', element: 'ok', origin: { kind: 'person' } })
    const part = await mount($, { part: {} }, { requestId: 'q' })
    await part.press({ key: 'say' })
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(heard.join(' ')).toBe(HEARD[name])
  })
}
