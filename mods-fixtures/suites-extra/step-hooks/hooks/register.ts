const text = (text: string) => ({ kind: 'text', index: 0, text })
const own = (e: any) => ({ turnId: e.turnId, index: e.index, answer: 'own', toolUses: [], stopReason: 'end_turn', usage: null })
const told = (next: any) => next.trace.map((part: any) => `${part.index} ${part.plugin} ${part.outcome}`).join(', ')

export function register(on: any) {
  // The outermost hook marks every text, and says last how those beneath it ended.
  on('turn.step', async function* ($: any, e: any, next: any) {
    for await (const chunk of next(e)) yield chunk.kind === 'text' ? { ...chunk, text: `<${chunk.text}>` } : chunk
    yield text(told(next))
  })
  on('turn.step', { turnId: 'at-once' }, async function* ($: any, e: any, next: any) { throw new Error('at once') })
  on('turn.step', { turnId: 'on-the-way' }, async function* ($: any, e: any, next: any) {
    for await (const chunk of next({ ...e, model: 'other' })) { yield chunk; throw new Error('on the way') }
  })
  on('turn.step', { turnId: 'caught' }, async function* ($: any, e: any, next: any) {
    for await (const chunk of next(e)) { yield chunk; throw new Error('caught') }
  }).catch(async function* ($: any, e: any, next: any) { yield text(next.error.message); return yield* next(e) })
  on('turn.step', { turnId: 'caught-passing' }, async function* ($: any, e: any, next: any) { throw new Error('caught') })
    .catch(async function* ($: any, e: any, next: any) { yield* next(e) })
  on('turn.step', { turnId: 'twice' }, async function* ($: any, e: any, next: any) { yield* next(e); return yield* next({ ...e, model: 'again' }) })
  on('turn.step', { turnId: 'engine' }, async function* ($: any, e: any, next: any) { yield { kind: 'engine', ref: 1 }; yield* next(e) })
  on('turn.step', { turnId: 'no-result' }, async function* ($: any, e: any, next: any) { yield text('mine') })
  on('turn.step', { turnId: 'left' }, async function* ($: any, e: any, next: any) { for await (const chunk of next(e)) return own(e) })
  on('turn.step', { turnId: 'returned' }, async function* ($: any, e: any, next: any) { return yield* next(e) })
  on('turn.step', { turnId: 'passed' }, async function* ($: any, e: any, next: any) { yield* next(e) })
}
