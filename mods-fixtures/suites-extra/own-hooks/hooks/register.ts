export function register(on: any) {
  const seen: string[] = []
  on('plugin.register', async ($: any, e: any, next: any) => { seen.push('asked about ' + e.name); return next(e) })
  on('engine.create', async ($: any, e: any, next: any) => { seen.push('made of ' + e.plugins.join()); return next(e) })
  on('command.run', { command: 'seen' }, async () => ({ text: JSON.stringify(seen) }))
  on('command.run', { command: 'get' }, async ($: any) => ({ text: String(await $.store.get('key')) }))
}
