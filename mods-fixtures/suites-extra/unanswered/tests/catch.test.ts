import { expect, test } from 'claude-code/testing'

const GO: any = { command: 'go', args: '', origin: { kind: 'composer' }, presentation: { kind: 'fullscreen', columns: 80, rows: 24 } }
const NOBODY = 'throw: no implementation for env.get, called true'

test('the handler answers a call that nobody answers', async ($: any) => {
  expect(await $.command.run(GO)).toEqual({ text: NOBODY })
})

test('also where a stub beneath throws', async ($: any, on: any) => {
  on('env.get', () => { throw new Error('stub') })
  expect(await $.command.run(GO)).toEqual({ text: NOBODY })
})

const above: any = { name: 'above', tier: 'prepend', register(on: any) { on('env.get', async ($: any, e: any, next: any) => ({ value: `above ${(await next(e)).value}` })) } }
const below: any = { name: 'below', tier: 'append', register(on: any) { on('env.get', async ($: any, e: any, next: any) => ({ value: `below ${(await next(e)).value}` })) } }

test('a mod above sees an answer, a mod between saw the rejection', { plugins: [above, below] }, async ($: any) => {
  expect(await $.command.run(GO)).toEqual({ text: `above ${NOBODY}` })
})

test('a denied call is nobody else\'s failure', async ($: any, on: any) => {
  on('env.get', () => ({ deny: 'no' }))
  await expect($.command.run(GO)).rejects.toThrow('no implementation for command.run')
})

test('a handler that passes it on leaves the rejection', async ($: any) => {
  await expect($.tool.describe({ tool: 'Bash', description: 'd', provider: { plugin: 'p', tier: 'user' } })).rejects.toThrow('no implementation for tool.describe')
})

test('so does one that throws, and one whose answer is none', async ($: any) => {
  await expect($.command.describe({ command: 'c', description: 'd', isHidden: false, provider: { plugin: 'p', tier: 'user' } })).rejects.toThrow('no implementation for command.describe')
  await expect($.config.set({ setting: 'x', value: 1, previous: 2, origin: { kind: 'composer' } })).rejects.toThrow('no implementation for config.set')
})

test('the handler gets the same rejection from next', async ($: any) => {
  expect(await $.prompt.section({ id: 'm', name: 'm', text: 't', scope: 'shared' })).toEqual({ text: 'again HooksError: no implementation for prompt.section' })
})

test('an error of the hook\'s own is told as that', async ($: any) => {
  const { cwd } = await $.session.start({ surface: 'terminal', isInteractive: true, cwd: '/w' })
  expect(cwd).toBe('throw: own no implementation for session.start, called true')
})

test('the stream of a step is not caught', async ($: any) => {
  const stream = $.turn.step({ messages: [], model: 'm', turnId: 't', requestId: 'r' })
  const read = async () => { for await (const _ of stream) {} return stream.result }
  await expect(read()).rejects.toThrow('no implementation for turn.step')
})

test('without a handler the call is rejected', async ($: any) => {
  await expect($.turn.complete({ turnId: 't', answer: 'a', usage: {} })).rejects.toThrow('no implementation for turn.complete')
})
