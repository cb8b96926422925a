import { expect, test } from 'claude-code/testing'
import { ABOVE, CALLS, outcomes } from './run.js'

// What names the one whose call it is may not be rewritten; everything else may, to anything.
const PINNED: Record<string, string[]> = { 'env.get': ['name'], 'env.set': ['name'], 'ui.open': ['id'], 'ui.close': ['id', 'origin'], 'tool.register': ['name'] }
// Fields that are there without a value: leaving them out changes nothing.
const UNSET: Record<string, string[]> = { 'model.classify': ['options'], 'audio.play': ['gain'] }
// Calls that give nothing, whatever the answer.
const GIVE_NOTHING = ['store.set', 'store.delete', 'clock.sleep']

for (const event of CALLS) test(event, { plugins: [ABOVE], timeoutMs: 60000 }, async ($: any, on: any) => {
  const { rewrites, answers } = await outcomes($, on, event)
  for (const [field, seen] of Object.entries(rewrites)) {
    const wanted = field === 'added' ? ['passed'] : PINNED[event]?.includes(field) ? ['skipped', 'skipped', 'skipped', 'skipped'] : UNSET[event]?.includes(field) ? ['passed', 'skipped', 'passed', 'passed'] : ['passed', 'passed', 'passed', 'passed']
    expect(seen, field).toEqual(wanted)
  }
  const given = (value: unknown) => GIVE_NOTHING.includes(event) ? 'undefined' : { value }
  const beneath = given('beneath')
  expect(answers).toEqual({
    text: given('x'), number: given(5), null: given(null), list: given(['x']), object: given({ a: 1 }), 'value and more': given('x'), 'value and deny': beneath,
    deny: 'rejected HooksError', 'deny empty': 'rejected HooksError', 'deny number': beneath, bare: beneath, empty: beneath, nothing: beneath, result: beneath,
  })
})
