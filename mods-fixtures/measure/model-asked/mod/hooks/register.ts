export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    await $.command.register({ name: 'ask', description: 'asks the model' })
    return next(e)
  })
  on('command.run', { command: 'ask' }, async ($: any) => {
    const said = await $.model.complete({ model: 'claude-haiku-4-5', prompt: 'which colour?' })
    return { text: `answered ${JSON.stringify(said)}` }
  })
}
