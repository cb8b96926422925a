// What to do comes with the call: its `how`.
const log: any[] = []

export function register(on: any) {
  on('command.run', { command: 'log' }, async () => ({ text: JSON.stringify(log.splice(0)) }))
  on('command.run', { command: 'call' }, async ($: any, e: any) => {
    const given = await $.tool.call(JSON.parse(e.args)).catch((x: any) => x.name)
    return { text: JSON.stringify(given) }
  })
  on('command.run', { command: 'ask' }, async ($: any) => ({ text: await $.ui.ask('q') }))
  on('tool.call', undefined, async ($: any, e: any, next: any) => {
    const given = await next(e)
    log.push(['call', given, next.trace.map((one: any) => one.plugin)])
    if (e.how === 'another result') return { ...given, result: 'changed' }
    if (e.how === 'another text') return { ...given, text: 'changed', context: ['c'] }
    return given
  })
  on('classic.PreToolUse', async ($: any, e: any, next: any) => {
    if (e.how === 'passes another') return next({ ...e, path: 'other', more: 1 })
    if (e.how === 'says another') return { ...(await next({ ...e, path: 'passed' })), updatedInput: { path: 'said' } }
    return next(e)
  })
  on('tool.check', async ($: any, e: any, next: any) => {
    log.push(['check', e])
    const verdict = await next(e)
    if (e.input.how === 'denied' || e.input.how?.startsWith('another')) return { decision: 'deny', reason: 'because' }
    return e.input.how === 'denied bare' ? { decision: 'deny' } : verdict
  })
  on('tool.run', async ($: any, e: any, next: any) => {
    log.push(['run', e, next.origin.plugin])
    if (e.how === 'run denied') return { deny: 'not now' }
    if (e.how === 'run answered') return { result: 'own', context: ['lost'], isError: 'odd' }
    if (e.how === 'run rewritten') return next({ ...e, path: 'other' })
    if (e.how === 'run added to') return next({ ...e, added: 1 })
    const given = await next(e)
    return e.how === 'run wrapped' ? { ...given, result: [given.result] } : given
  })
}
