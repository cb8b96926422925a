import { expect, test } from 'claude-code/testing'

// What comes up, the result, and for which models the step was asked. Rows of hooks whose matcher does not fit are left out.
const cases: Record<string, [string, string, string[]]> = {
  'at-once': ['<a> tool <b> | 1 skipped', 'ab', ['m']],
  'on-the-way': ['<a> tool <b> | 2 kept', 'ab', ['other']],
  caught: ['<a> <caught> tool <b> | 3 caught', 'ab', ['m']],
  'caught-passing': ['<a> tool <b> | 4 kept', 'ab', ['m']],
  // The second tool of that id fails the hook; what follows it comes from what it was reading.
  twice: ['<a> tool <b> <a> <b> | 5 kept', 'ab', ['m', 'again']],
  engine: ['<a> tool <b> | 6 skipped', 'ab', ['m']],
  'no-result': ['<mine> <a> tool <b> | 7 skipped', 'ab', ['m']],
  left: [' | 8 returned', 'own', ['m']],
  returned: ['<a> tool <b> | 9 returned', 'ab', ['m']],
  passed: ['<a> tool <b> | 10 passed', 'ab', ['m']],
}
for (const [turnId, [chunks, answer, models]] of Object.entries(cases)) test(turnId, async ($: any, on: any) => {
  const asked: string[] = []
  on('turn.step', async function* ($: any, e: any) {
    asked.push(e.model)
    yield { kind: 'text', index: 0, text: 'a' }
    yield { kind: 'tool', index: 1, id: 't', name: 'Bash' }
    yield { kind: 'text', index: 0, text: 'b' }
    return { turnId: e.turnId, index: e.index, answer: 'ab', toolUses: [], stopReason: 'end_turn', usage: null }
  })
  const stream = $.turn.step({ turnId, index: 0, model: 'm', messageCount: 1 })
  const seen: string[] = []
  for (;;) {
    const { value, done } = await stream.next()
    if (done) { expect(value.answer).toBe(answer); break }
    seen.push(value.kind === 'text' ? value.text : value.kind)
  }
  const trace = seen.pop() ?? ''
  const at = chunks.split(' | ')[1]
  const own = trace.split(', ').find((row) => row.startsWith(`${at.split(' ')[0]} `))
  expect(seen.join(' ')).toBe(chunks.split(' | ')[0])
  expect(own).toBe(at.replace(' ', ' step-hooks '))
  expect(trace).toEndWith(turnId === 'left' ? '11 test rejected' : '11 test returned')
  expect(asked).toEqual(models)
})
