const told = (next: any) => `${next.error.kind}: ${next.error.message}, called ${next.called}`

export function register(on: any) {
  on('command.run', { command: 'go' }, async ($: any) => ({ text: `${await $.env.get('X')}` }))
  on('env.get', ($: any, e: any, next: any) => next(e)).catch(($: any, e: any, next: any) => ({ value: told(next) }))
  on('tool.describe', ($: any, e: any, next: any) => next(e)).catch(($: any, e: any, next: any) => next(e))
  on('command.describe', ($: any, e: any, next: any) => next(e)).catch(() => { throw new Error('handler') })
  on('config.set', ($: any, e: any, next: any) => next(e)).catch(() => 5)
  on('prompt.section', ($: any, e: any, next: any) => next(e)).catch(async ($: any, e: any, next: any) => {
    try { return await next(e) } catch (x: any) { return { text: `again ${x.name}: ${x.message}` } }
  })
  on('session.start', async ($: any, e: any, next: any) => {
    try { return await next(e) } catch (x: any) { throw new Error(`own ${x.message}`) }
  }).catch(($: any, e: any, next: any) => ({ cwd: told(next) }))
  on('turn.step', async function* ($: any, e: any, next: any) { return yield* next(e) }).catch(async function* () {
    return { text: 'caught', toolCalls: [] }
  })
  on('turn.complete', ($: any, e: any, next: any) => next(e))
}
