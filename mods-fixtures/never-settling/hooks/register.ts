// Awaits what never comes.
export function register(on: any) {
  on('tool.call', async () => {
    await new Promise(() => {})
    return { deny: 'never' }
  })
}
