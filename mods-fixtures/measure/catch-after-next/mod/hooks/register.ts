export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    await next(e)
    throw new Error('planned')
  }).catch(async ($: any, e: any, next: any) => next({ ...e, command: './note B' }))
}
