import { expect, test } from 'claude-code/testing'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
let session: string

for (const turn of ['first', 'second']) test(`a classic event has a record around what the test gives: ${turn}`, async ($: any, on: any) => {
  const seen: any[] = []
  on('classic.Stop', ($: any, e: any) => { seen.push(e); return {} })
  await $.classic.Stop({ stop_hook_active: false })
  await $.classic.Stop()
  await $.classic.Stop([1])
  await $.classic.Stop({ hook_event_name: 'Other', cwd: null, more: 1, session_id: undefined })
  session ??= seen[0].session_id
  const base = { session_id: session, transcript_path: '', cwd: expect.stringMatching(/raised-whole$/), hook_event_name: 'Stop' }
  expect(session).toMatch(UUID)
  expect(seen.slice(0, 3)).toStrictEqual([{ ...base, stop_hook_active: false }, base, base])
  expect(seen[3]).toStrictEqual({ session_id: undefined, transcript_path: '', cwd: null, hook_event_name: 'Stop', more: 1 })
  expect(Object.keys(seen[0])).toEqual(['session_id', 'transcript_path', 'cwd', 'stop_hook_active', 'hook_event_name'])
})
test('what the record is filled with is pinned', async ($: any, on: any) => {
  let seen: any
  on('classic.Stop', ($: any, e: any) => { seen = e; return {} })
  await $.classic.Stop({ prompt_id: 'changes it' })
  expect(seen.session_id).toBe(session)
})

const text = (text: string) => ({ type: 'text', text })
const append = ($: any, message: any) => $.session.append({ message, uuid: 'u', origin: { kind: 'engine' }, door: 'd' })
test('a row that the engine stores lands as it is given', async ($: any) => {
  const message = { type: 'assistant', role: 'assistant', content: [{ type: 'tool_use', id: 'i' }], more: 1 }
  expect(await append($, message)).toStrictEqual({ message, uuid: 'u' })
  expect(await append($, undefined)).toStrictEqual({ message: undefined, uuid: 'u' })
})
for (const [how, content] of [['empties', [text('(no content)')]], ['images', [text('(no content)')]], ['decorates', [text('x')]], ['denies', [text('denies')]]] as any)
  test(`a mod's hook on it: ${how}`, async ($: any) => {
    expect((await append($, { type: 'user', content: [text(how)] })).message).toEqual({ type: 'user', content })
  })

const own = async ($: any, content: any) => JSON.parse((await $.command.run({ command: 'append', args: JSON.stringify(content) })).text)
const row = (content: any) => ({ type: 'user', role: 'user', isMeta: true, content })
test('a row of a mod may be refused in place of next', { plugins: [{ name: 'guard', register(on: any) {
  on('session.append', async ($: any, e: any, next: any) => e.message.content[0]?.text === 'guarded' ? { deny: 'guarded' } : next(e))
} }] }, async ($: any) => {
  expect(await own($, [text('guarded')])).toEqual({ deny: 'guarded' })
  expect(await own($, [text('plain')])).toEqual(row([text('plain')]))
  expect(await own($, [])).toEqual(row([]))
  expect(await own($, [{ type: 'image' }])).toBe('HooksError')
})
test('and by the test', async ($: any, on: any) => {
  on('session.append', () => ({ deny: 'by the test' }))
  expect(await own($, [{ type: 'image' }])).toEqual({ deny: 'by the test' })
})

const complete = ($: any, answer: string) => $.turn.complete({ answer, durationMs: 1, isAborted: false, turnId: 'u', reason: 'answer' })
const BELOW = { name: 'below', register(on: any) {
  on('turn.complete', async ($: any, e: any, next: any) => { const given = await next(e); return { ...given, text: `${given.text}!`, by: ['nobody'] } })
} }
test('a mod is told who wrote the last text', { plugins: [BELOW] }, async ($: any, on: any) => {
  let written: string | undefined
  on('turn.complete', ($: any, e: any) => ({ text: written ?? e.answer }))
  expect(await complete($, 'ask')).toStrictEqual({ text: '["below"]' })
  written = 'by the test'
  expect(await complete($, 'ask')).toEqual({ text: '["test","below"]' })
  expect(await complete($, 'pass on')).toEqual({ text: '["test","below","raised-whole"]' })
  expect(await complete($, 'else')).toStrictEqual({ text: 'by the test!' })
})

test('what is attached to a prompt is the engine\'s', async ($: any, on: any) => {
  const seen: any[] = []
  on('prompt.submit', ($: any, e: any) => { seen.push(e); return { text: e.text } })
  const base = { wait: false, origin: { kind: 'composer' } }
  await $.prompt.submit({ text: 'adds', ...base })
  await $.prompt.submit({ text: 'takes', attachments: ['a'], ...base })
  expect(seen).toStrictEqual([{ text: 'adds', ...base }, { text: 'takes', ...base, more: 1, attachments: ['a'] }])
})
