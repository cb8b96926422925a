import { expect, test } from 'claude-code/testing'

import { BY_A_TEST } from './events'

const ACTS = ['ui.press', 'ui.input', 'ui.select', 'ui.mount']

/** What some events have to carry before anybody is asked. */
const INPUTS: Record<string, object> = {
  'command.run': { command: 'x', args: '', origin: { kind: 'human' }, presentation: 'text' },
  'tool.call': { tool: 'Bash', command: 'x' },
  'ui.render': { plugin: 'kit-events', surface: 'terminal', component: 'Spinner', requestId: 'r', props: { message: 'x' } },
  'ui.scroll': { plugin: 'kit-events' },
  'ui.focus': { plugin: 'kit-events' },
}

test('$ offers these and acts on drawings', async ($: any) => {
  const offered = Object.keys($).flatMap(noun => Object.keys($[noun]).map(name => `${noun}.${name}`))
  expect(offered.filter(name => !ACTS.includes(name)).sort()).toEqual(BY_A_TEST)
})
/** A pattern does not select them: a mod has to name them. */
const NAMED_ONLY = ['telemetry.log', 'telemetry.mark', 'tool.run']

for (const event of BY_A_TEST) {
  const reaches = NAMED_ONLY.includes(event) ? 'does not reach' : 'reaches'
  test(`${event} ${reaches} a mod that hooks everything`, async ($: any) => {
    const [noun, name] = event.split('.')
    try {
      const given = $[noun][name](INPUTS[event] ?? {})
      if (event === 'turn.step') { for await (const chunk of given) chunk } else await given
    } catch {}
    const { text } = await $.command.run({ command: 'what was seen', args: '', origin: { kind: 'human' }, presentation: 'text' })
    if (reaches === 'reaches') expect(JSON.parse(text)).toContain(event)
    else expect(JSON.parse(text)).not.toContain(event)
  })
}
