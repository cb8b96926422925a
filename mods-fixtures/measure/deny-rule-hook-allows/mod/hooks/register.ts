export function register(on: any) {
  on('tool.check', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    return next(e)
  })
}
