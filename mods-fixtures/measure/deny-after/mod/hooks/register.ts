export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    await next(e)
    return { deny: 'not today' }
  })
}
