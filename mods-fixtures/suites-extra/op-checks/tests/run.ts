// Stands above the mod and does with the call's event what it was told.
export const ABOVE = {
  name: 'above', tier: 'prepend' as const,
  register(on: any) {
    let order: any = {}
    const changed = (v: any): any => typeof v === 'string' ? v + 'x' : typeof v === 'number' ? v + 1 : typeof v === 'boolean' ? !v : Array.isArray(v) ? [...v, ...v] : v && typeof v === 'object' ? { ...v, more: 1 } : 'changed'
    on('command.run', { command: 'order' }, async ($: any, e: any) => { order = JSON.parse(e.args); return { text: 'noted' } })
    on('!command.run', async ($: any, e: any, next: any) => {
      if (next.event !== order.event) return next(e)
      if (order.answer !== undefined) return order.answer === 'nothing' ? undefined : order.answer
      if (order.field === undefined) return next(e)
      const input: any = { ...e }
      if (order.how === 'changed') input[order.field] = changed(input[order.field])
      if (order.how === 'removed') delete input[order.field]
      if (order.how === 'null') input[order.field] = null
      if (order.how === 'other') input[order.field] = typeof input[order.field] === 'string' ? 7 : 'other'
      return next(input)
    })
  },
}

export const CALLS = [
  'fs.read', 'fs.write', 'fs.list', 'fs.exists', 'fs.stat', 'fs.ancestors', 'store.get', 'store.set', 'store.delete', 'store.keys', 'clock.now', 'clock.sleep', 'http.fetch', 'process.run', 'model.complete', 'model.classify', 'model.fork',
  'ui.open', 'ui.close', 'session.cwd', 'session.usage', 'session.messages', 'env.get', 'env.set', 'mcp.call', 'command.register', 'agent.register', 'tool.register', 'audio.play', 'turn.abort',
]
export const ANSWERS: Record<string, any> = {
  text: { value: 'x' }, number: { value: 5 }, null: { value: null }, list: { value: ['x'] }, object: { value: { a: 1 } }, 'value and more': { value: 'x', more: 1 }, 'value and deny': { value: 'x', deny: 'y' },
  deny: { deny: 'no' }, 'deny empty': { deny: '' }, 'deny number': { deny: 5 }, bare: 'x', empty: {}, nothing: 'nothing', result: { result: 'x' },
}

// What comes of each rewrite (passed: beneath saw it; skipped: it saw the event as it was), and what the caller gets of each answer.
export const outcomes = async ($: any, on: any, event: string) => {
  let seen: any
  on(event as any, ($: any, e: any) => { seen = e; return { value: 'beneath' } })
  const order = (what: object) => $.command.run({ command: 'order', args: JSON.stringify({ event, ...what }) })
  const call = async () => { seen = undefined; return JSON.parse((await $.command.run({ command: 'call', args: event })).text) }
  await order({})
  const plain = { value: await call(), input: seen }
  const rewrites: Record<string, string[]> = {}
  for (const field of [...Object.keys(plain.input), 'added']) for (const how of field === 'added' ? ['changed'] : ['changed', 'removed', 'null', 'other']) {
    await order({ field, how })
    const value = await call()
    const what = seen === undefined ? 'unasked' : JSON.stringify(seen) === JSON.stringify(plain.input) ? 'skipped' : 'passed'
    ;(rewrites[field] ??= []).push(typeof value === 'string' && value.startsWith('rejected') ? value : what)
  }
  const answers: Record<string, unknown> = {}
  for (const [title, answer] of Object.entries(ANSWERS)) { await order({ answer }); answers[title] = await call() }
  return { plain, rewrites, answers }
}
