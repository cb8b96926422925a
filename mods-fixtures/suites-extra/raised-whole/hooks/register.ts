export function register(on: any) {
  on('classic.Stop', async ($: any, e: any, next: any) => {
    if (e.prompt_id === 'changes it') return next({ ...e, session_id: 'other' })
    return next(e)
  })
  on('session.append', async ($: any, e: any, next: any) => {
    const first = e.message?.content?.[0]?.text
    const blocks: any = { empties: [], images: [{ type: 'image' }], decorates: [{ type: 'text', text: 'x', more: 1 }] }
    if (first === 'denies') return { deny: 'no' }
    if (first === 'denies late') { await next(e); return { deny: 'no' } }
    return next(first in blocks ? { ...e, message: { ...e.message, content: blocks[first] } } : e)
  })
  on('command.run', { command: 'append' }, async ($: any, e: any) => {
    const given = await $.session.append({ message: { type: 'user', content: JSON.parse(e.args) } }).catch((x: any) => x.name)
    return { text: JSON.stringify(given.message ?? given) }
  })
  on('turn.complete', async ($: any, e: any, next: any) => {
    if (e.answer === 'ask') return { text: JSON.stringify((await next(e)).by ?? null) }
    if (e.answer === 'pass on') return { text: JSON.stringify((await next({ ...e, answer: 'other' })).by) }
    return next(e)
  })
  on('prompt.submit', async ($: any, e: any, next: any) => next(e.text === 'adds' ? { ...e, attachments: ['x'] } : { ...e, attachments: undefined, more: 1 }))
}
