// What to do is said before each dispatch: change, leave out or blank a field on the way down, or answer.
let order: any = {}

const act = async (e: any, next: any) => {
  if ('answer' in order) {
    const given = order.above ? await next(e) : undefined
    return order.answer === 'keep' ? given : order.answer
  }
  const input = { ...e, ...order.down }
  for (const field of order.without ?? []) delete input[field]
  for (const field of order.blank ?? []) input[field] = undefined
  return next(input)
}

export function register(on: any) {
  on('command.run', { command: 'order' }, async ($: any, e: any) => { order = e.order; return {} })
  on('agent.report', async ($: any, e: any, next: any) => act(e, next))
  on('tool.offer', async ($: any, e: any, next: any) => act(e, next))
  on('tool.judge', async ($: any, e: any, next: any) => act(e, next))
  on('vcs.detect', async ($: any, e: any, next: any) => act(e, next))
  on('vcs.diff', async ($: any, e: any, next: any) => act(e, next))
  on('vcs.list', async ($: any, e: any, next: any) => act(e, next))
  on('vcs.status', async ($: any, e: any, next: any) => act(e, next))
  on('vcs.release', async ($: any, e: any, next: any) => act(e, next))
  on('vcs.isolate', async ($: any, e: any, next: any) => act(e, next))
  on('ui.offer', async ($: any, e: any, next: any) => act(e, next))
  on('ui.tip', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.autocomplete', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.change', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.mention', async ($: any, e: any, next: any) => act(e, next))
  on('session.stop', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.context', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.fill', async ($: any, e: any, next: any) => act(e, next))
  on('tool.check', async ($: any, e: any, next: any) => act(e, next))
  on('config.describe', async ($: any, e: any, next: any) => act(e, next))
  on('agent.spawn', async ($: any, e: any, next: any) => act(e, next))
  on('session.send', async ($: any, e: any, next: any) => act(e, next))
}
