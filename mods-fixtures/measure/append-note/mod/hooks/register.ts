export function register(on: any) {
  on('session.start', async ($: any, e: any, next: any) => {
    await $.command.register({ name: 'put', description: 'puts two rows' })
    return next(e)
  })
  on('command.run', { command: 'put' }, async ($: any) => {
    await $.session.append({ message: { type: 'user', content: [{ type: 'text', text: 'row for the model' }] } })
    await $.session.append({ message: { type: 'system', content: [{ type: 'text', text: 'row for the person' }] } })
    return { text: 'noted it' }
  })
}
