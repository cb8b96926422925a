export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    await $.command.register({ name: 'greet', description: 'Greets somebody.', argumentHint: '<who>' })
    return next(e)
  })
  on('command.run', { command: 'greet' }, async ($: any, e: any) => ({ text: 'hello ' + e.args, context: ['greeted ' + e.args] }))
}
