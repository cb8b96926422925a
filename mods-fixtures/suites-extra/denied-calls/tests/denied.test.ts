import { expect, test } from 'claude-code/testing'

test('a denied call is rejected with the mod, the call and the reason', async ($: any, on: any) => {
  for (const event of ['store.get', 'fs.read', 'process.run']) on(event, () => ({ deny: `not ${event}` }))
  const { text } = await $.command.run({ command: 'denied', args: '' })
  expect(text.split('\n')).toEqual([
    'HooksError: denied-calls: $.store.get: not store.get',
    'HooksError: denied-calls: $.fs.read: not fs.read',
    'HooksError: denied-calls: $.process.run: not process.run',
  ])
})
