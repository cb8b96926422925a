import { expect, mock, test } from 'claude-code/testing'

const run = async ($: any, command: string, args = '') => (await $.command.run({ command, args })).text
const outcome = (f: () => unknown) => { try { f(); return 'fine' } catch (x: any) { return x.name } }

test('the mocks there are', () => {
  expect(Object.keys(mock)).toEqual(['clock', 'store', 'env', 'session'])
})
test('a store of what is no object', async ($: any, on: any) => {
  expect([outcome(() => mock.store(on, 5 as any)), outcome(() => mock.store(on, null as any))]).toEqual(['TypeError', 'TypeError'])
})
test('entries of a store are what JSON keeps of them', async ($: any, on: any) => {
  mock.store(on, { a: new Date(0), u: undefined, d: { x: undefined } })
  expect(JSON.parse(await run($, 'store'))).toEqual(['1970-01-01T00:00:00.000Z', ['a', 'u', 'd'], 'undefined', {}])
})
test('variables have to be given', async ($: any, on: any) => {
  expect([undefined, 5, null].map(given => outcome(() => (mock.env as any)(on, given)))).toEqual(['TypeError', 'TypeError', 'TypeError'])
})
test('a variable that is no text is not set, and neither is what every object has', async ($: any, on: any) => {
  mock.env(on, { A: 5, B: undefined } as any)
  expect(JSON.parse(await run($, 'env'))).toEqual(['undefined', 'undefined', 'undefined'])
})
test('variables are read when the mock is made', async ($: any, on: any) => {
  const variables: any = { A: '1' }
  mock.env(on, variables)
  variables.A = '2'
  variables.B = 'new'
  expect(JSON.parse(await run($, 'env'))).toEqual(['1', 'undefined', 'undefined'])
})
test('what landed in the session', async ($: any, on: any) => {
  const session = mock.session(on)
  const none = session.appended()
  await run($, 'note', 'a')
  await run($, 'note', 'b')
  const rows: any[] = session.appended()
  expect([none, rows.map((row: any) => row.message.content[0].text), rows.map((row: any) => Object.keys(row).sort())]).toEqual([
    [],
    ['a', 'b'],
    [['door', 'message', 'origin', 'uuid'], ['door', 'message', 'origin', 'uuid']],
  ])
  expect(rows[0]).toMatchObject({ door: 'note', origin: { kind: 'plugin', name: 'kit-mocks' }, message: { type: 'user', role: 'user', isMeta: true } })
  expect(session.appended()).toBe(rows)
})
test('mocks after the first call on $', async ($: any, on: any) => {
  await run($, 'log')
  expect([
    outcome(() => mock.clock(on)), outcome(() => mock.store(on)), outcome(() => mock.env(on, {})), outcome(() => mock.session(on)), outcome(() => on('ui.toast', () => ({ value: undefined }))),
  ]).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'])
})
test('the on of a test', async ($: any, on: any) => {
  expect([outcome(() => on()), outcome(() => on('tool.call')), outcome(() => on(5, () => 1)), Object.keys(on('tool.call', () => 1))]).toEqual(['TypeError', 'TypeError', 'TypeError', ['catch']])
})
