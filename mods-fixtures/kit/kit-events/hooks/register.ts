export function register(on: any) {
  const seen = new Set<string>()
  on('*', async ($: any, e: any, next: any) => { seen.add(next.event); return next(e) })
  on('turn.step', async function* ($: any, e: any, next: any) { seen.add(next.event); return yield* next(e) })
  on('command.run', { command: 'what was seen' }, async () => ({ text: JSON.stringify([...seen]) }))
}
