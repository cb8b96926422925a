import { ANSWERS, EVENTS } from './events.js'

const order = ($: any, what: object) => $.command.run({ command: 'order', args: JSON.stringify(what) })
// What is left out of a pinned field is put back, at the end: the order of fields does not count.
const sorted = (input: object) => JSON.stringify(Object.entries(input).sort(([a], [b]) => a < b ? -1 : 1))
const matcher = (event: string): any[] => event === 'ui.focus' ? [{ plugin: '*' }] : event === 'command.run' ? [{ command: 'raised' }] : []

// What comes of every rewrite and every answer: per field, the rewrites that beneath sees; per answer that stands, `same` or what
// became of it. (A failed tool counts as `failed`, whatever it says.)
export const outcomes = async ($: any, on: any, event: string) => {
  const [input, beneath] = EVENTS[event]
  const [noun, name] = event.split('.')
  let seen: any
  on(event as any, ...matcher(event), ($: any, e: any) => { seen = e; return beneath })
  const raise = async () => { seen = undefined; try { return await $[noun][name](input) } catch (x: any) { return 'rejected' } }
  const rewrites: Record<string, string[]> = {}
  for (const field of [...Object.keys(input), 'added']) {
    rewrites[field] = []
    for (const how of field === 'added' ? ['changed'] : ['changed', 'removed', 'null', 'other']) {
      await order($, { event, field, how })
      await raise()
      if (seen !== undefined && sorted(seen) !== sorted(input)) rewrites[field].push(how)
    }
  }
  await order($, {})
  const plain = JSON.stringify(await raise())
  const answers: Record<string, unknown> = {}
  for (const above of [false, true]) for (const [title, answer] of Object.entries(ANSWERS)) {
    await order($, { event, answer, above })
    const result: any = await raise()
    const text = JSON.stringify(result)
    if (text !== plain) answers[(above ? 'after ' : '') + title] = text === JSON.stringify(answer) ? 'same' : typeof result?.result === 'string' && result.result.startsWith('Error: ') ? 'failed' : result
  }
  return { rewrites, answers }
}
