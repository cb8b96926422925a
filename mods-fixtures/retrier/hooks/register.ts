// Runs every command three times.
export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    await next(e)
    await next(e)
    return next(e)
  })
}
