export function register(on: any) {
  on('nobody.knows', async ($: any, e: any, next: any) => next(e))
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    return next({ ...e, command: './note B' })
  })
}
