// What to do is said before each dispatch: rewrite a field of the input, or answer (after asking beneath, where `above` says so).
let order: any = {}
const changed = (v: any): any => typeof v === 'string' ? 'changed' : typeof v === 'number' ? v + 1 : typeof v === 'boolean' ? !v : Array.isArray(v) ? [...v, ...v] : v && typeof v === 'object' ? { ...v, more: 1 } : 'changed'
const other = (v: any): any => typeof v === 'string' ? 7 : 'other'

const act = async (e: any, next: any) => {
  const { event, field, how, answer, above } = order
  if (next.event !== event) return next(e)
  if (answer !== undefined) {
    if (above) await next(e)
    return answer === 'nothing' ? undefined : answer
  }
  if (field === undefined) return next(e)
  const input: any = { ...e }
  if (how === 'changed') input[field] = changed(input[field])
  if (how === 'removed') delete input[field]
  if (how === 'null') input[field] = null
  if (how === 'other') input[field] = other(input[field])
  return next(input)
}

export function register(on: any) {
  on('command.run', { command: 'order' }, async ($: any, e: any) => { order = JSON.parse(e.args); return { text: 'noted' } })
  on('tool.check', async ($: any, e: any, next: any) => act(e, next))
  on('tool.describe', async ($: any, e: any, next: any) => act(e, next))
  on('agent.offer', async ($: any, e: any, next: any) => act(e, next))
  on('agent.spawn', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.submit', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.fill', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.suggest', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.section', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.context', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.compose', async ($: any, e: any, next: any) => act(e, next))
  on('prompt.attachment', async ($: any, e: any, next: any) => act(e, next))
  on('command.run', { command: 'raised' }, async ($: any, e: any, next: any) => act(e, next))
  on('command.describe', async ($: any, e: any, next: any) => act(e, next))
  on('config.set', async ($: any, e: any, next: any) => act(e, next))
  on('config.describe', async ($: any, e: any, next: any) => act(e, next))
  on('skill.prompt', async ($: any, e: any, next: any) => act(e, next))
  on('attribution.text', async ($: any, e: any, next: any) => act(e, next))
  on('session.start', async ($: any, e: any, next: any) => act(e, next))
  on('session.receive', async ($: any, e: any, next: any) => act(e, next))
  on('session.compact', async ($: any, e: any, next: any) => act(e, next))
  on('session.attach', async ($: any, e: any, next: any) => act(e, next))
  on('session.detach', async ($: any, e: any, next: any) => act(e, next))
  on('session.measure', async ($: any, e: any, next: any) => act(e, next))
  on('session.end', async ($: any, e: any, next: any) => act(e, next))
  on('session.send', async ($: any, e: any, next: any) => act(e, next))
  on('turn.start', async ($: any, e: any, next: any) => act(e, next))
  on('turn.complete', async ($: any, e: any, next: any) => act(e, next))
  on('tool.call', async ($: any, e: any, next: any) => act(e, next))
  on('ui.scroll', async ($: any, e: any, next: any) => act(e, next))
  on('ui.focus', { plugin: '*' }, async ($: any, e: any, next: any) => act(e, next))
}
