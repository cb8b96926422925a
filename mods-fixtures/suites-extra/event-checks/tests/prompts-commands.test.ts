import { expect, test } from 'claude-code/testing'
import { EVENTS } from './events.js'
import { EXPECTED } from './expected.js'
import { outcomes } from './run.js'

// The events are spread over files: the peer ends a file that raises all of them.
for (const event of Object.keys(EVENTS).filter(event => ["prompt", "command", "config"].includes(event.split('.')[0]))) test(event, { timeoutMs: 60000 }, async ($: any, on: any) => {
  const { rewrites, answers } = await outcomes($, on, event)
  const { same, made, rewrites: wanted } = EXPECTED[event]
  expect(rewrites, 'rewrites').toEqual(wanted)
  expect(Object.keys(answers).filter(title => answers[title] === 'same'), 'answers').toEqual(same)
  expect(Object.fromEntries(Object.entries(answers).filter(([, result]) => result !== 'same')), 'answers that became something else').toEqual(made)
})
