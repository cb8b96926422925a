import { expect, mock, test } from 'claude-code/testing'

const run = async ($: any, command: string, args = '') => (await $.command.run({ command, args })).text
const outcome = async (f: () => unknown) => { try { await f(); return 'fine' } catch (x: any) { return x.name } }

test('wrong options', async ($: any, on: any) => {
  const attempts = [5, null, { now: 'x' }, { now: NaN }, { now: Infinity }].map(options => outcome(() => mock.clock(on, options as any)))
  expect(await Promise.all(attempts)).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'])
})
test('a time before zero and between milliseconds', async ($: any, on: any) => {
  const clock = mock.clock(on, { now: -5.5 })
  await clock.advance(0.25)
  expect([await run($, 'now'), clock.now()]).toEqual(['-5.25', -5.25])
})
test('wrong times', async ($: any, on: any) => {
  const clock = mock.clock(on, { now: 10 })
  const wrong = [-1, undefined, '5', NaN, Infinity] as any[]
  expect(await Promise.all(wrong.map(ms => outcome(() => clock.advance(ms))))).toEqual(wrong.map(() => 'TypeError'))
  expect(await Promise.all([9, '20', undefined].map((ms: any) => outcome(() => clock.set(ms))))).toEqual(['TypeError', 'TypeError', 'TypeError'])
  expect(await Promise.all([-1, 'x'].map((ms: any) => outcome(() => clock.sleep(ms))))).toEqual(['TypeError', 'TypeError'])
  expect(clock.now()).toBe(10)
})
test('setting it to where it is', async ($: any, on: any) => {
  const clock = mock.clock(on, { now: 20 })
  await clock.set(20)
  expect([clock.now(), await clock.advance(0), await clock.settle()]).toEqual([20, undefined, undefined])
})
test('sleeping on the clock oneself', async ($: any, on: any) => {
  const clock = mock.clock(on)
  const order: unknown[] = []
  clock.sleep(5).then((value: unknown) => { order.push(5, value, clock.now()) })
  clock.sleep(3).then(() => { order.push(3, clock.now()) })
  clock.sleep(0).then(() => { order.push(0, clock.now()) })
  await clock.advance(10)
  expect(order).toEqual([0, 0, 3, 3, 5, undefined, 5])
})
test('sleepers in the order in which they are due', async ($: any, on: any) => {
  const clock = mock.clock(on)
  await run($, 'sleeps')
  await clock.advance(100)
  expect(await run($, 'log')).toBe('10@10 | 20@20 | 20@20 | 30@30')
})
test('a sleep inside a function run later', async ($: any, on: any) => {
  const clock = mock.clock(on)
  await run($, 'after', '10')
  await clock.advance(12)
  const early = await run($, 'log')
  await clock.advance(100)
  expect([early, await run($, 'log')]).toEqual(['after@10', 'slept@15'])
})
test('every does not wait for its function', async ($: any, on: any) => {
  const clock = mock.clock(on)
  await run($, 'every', '10')
  await clock.advance(50)
  expect(await run($, 'log')).toBe('every@10 | every@20 | every@30 | slept@35 | every@40 | slept@45 | every@50')
})
test('periods of 0 and 0.5', async ($: any, on: any) => {
  const clock = mock.clock(on)
  await run($, 'every-short', '0')
  await clock.advance(10)
  const zero = await run($, 'log')
  await run($, 'every-short', '0.5')
  await clock.advance(10)
  expect([zero, await run($, 'log')]).toEqual(['1 | 2 | 3', '11 | 12 | 13'])
})
test('a negative period', async ($: any, on: any) => {
  mock.clock(on)
  expect(await run($, 'every-negative')).toBe('HooksError')
})
test('moves asked for at once start from the same time', async ($: any, on: any) => {
  const clock = mock.clock(on)
  const seen: number[] = []
  await Promise.all([clock.advance(3).then(() => { seen.push(clock.now()) }), clock.advance(3).then(() => { seen.push(clock.now()) })])
  expect(seen).toEqual([3, 3])
})
test('a stub that answers late', async ($: any, on: any) => {
  const clock = mock.clock(on)
  on('tool.call', async () => { await clock.sleep(50); return { result: 'late' } })
  let answer: any
  $.tool.call({ tool: 'X' }).then((r: any) => { answer = r.result })
  await clock.advance(49)
  const early = answer
  await clock.advance(1)
  expect([early, answer]).toEqual([undefined, 'late'])
})
