export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    await next(e)
    return next({ ...e, command: './note B' })
  })
}
