import { expect, test } from 'claude-code/testing'

/** A mod above, which answers what the row or the key asks for. */
const above = {
  name: 'above',
  tier: 'prepend' as const,
  register(on: any) {
    const answers: Record<string, any> = {
      'a reason': { deny: 'no' },
      'a reason and more': { deny: 'no', more: 1 },
      'an empty reason': { deny: '' },
      'a number': { deny: 5 },
      'another row': { message: {}, uuid: 'x' },
      'both': { value: 1, deny: 'no' },
      'no value and a reason': { value: undefined, deny: 'no' },
      'a value and no reason': { value: 'v', deny: undefined },
      'no text': { value: 1 },
      'a text': { value: 't' },
      'a function': () => 1,
    }
    on('session.append', async ($: any, e: any, next: any) => {
      const [name, isLate] = e.message.content[0].text.split(', ')
      if (isLate) await next(e)
      return answers[name]
    })
    on('store.get', async ($: any, e: any) => answers[e.key])
    on('session.redact', async ($: any, e: any) => answers[e.text])
  },
}

const row = (text: string) => ({ type: 'user', role: 'user', isMeta: true, content: [{ type: 'text', text }] })

const NOTES: Record<string, object> = {
  'a reason': { deny: 'no' },
  'a reason and more': { deny: 'no', more: 1 },
  'a reason, late': row('a reason, late'),
  'an empty reason': row('an empty reason'),
  'a number': row('a number'),
  'another row': row('another row'),
}
for (const [name, want] of Object.entries(NOTES)) {
  test(`a note: ${name}`, { plugins: [above] }, async ($) => {
    const { text } = await $.command.run({ command: 'note', args: name })
    expect(JSON.parse(text!)).toEqual(want)
  })
}

const READS: Record<string, unknown> = {
  'a reason': 'HooksError',
  'both': 'beneath',
  'no value and a reason': 'beneath',
  'a value and no reason': 'v',
  'a function': 'beneath',
  'a text': 't',
}
for (const [name, want] of Object.entries(READS)) {
  test(`a call: ${name}`, { plugins: [above] }, async ($, on) => {
    on('store.get', () => ({ value: 'beneath' }))
    const { text } = await $.command.run({ command: 'read', args: name })
    expect(JSON.parse(text!)).toEqual(want)
  })
}

const REDACTED: Record<string, unknown> = { 'a text': 't', 'no text': 'beneath', 'a reason': 'HooksError', 'both': 'HooksError' }
for (const [name, want] of Object.entries(REDACTED)) {
  test(`what is redacted: ${name}`, { plugins: [above] }, async ($, on) => {
    on('session.redact', () => ({ value: 'beneath' }))
    const { text } = await $.command.run({ command: 'redact', args: name })
    expect(JSON.parse(text!)).toEqual(want)
  })
}

test('a row that the engine writes is stored whatever is answered', { plugins: [above] }, async ($) => {
  const answer: any = await $.session.append({ message: { type: 'user', content: [{ type: 'text', text: 'a reason' }] }, door: 'turn', origin: { kind: 'engine' }, uuid: 'u' } as any)
  expect(answer.deny).toBeUndefined()
})
