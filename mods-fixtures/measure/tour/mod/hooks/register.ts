export function register(on: any) {
  on('tool.call', { tool: 'Bash', command: './note B' }, async ($: any, e: any, next: any) => next({ ...e, command: './note Q' }))
  on('tool.call', { tool: 'Bash', command: './note C' }, async () => ({ deny: 'C is not for today' }))
  on('tool.call', { tool: 'Bash', command: './note D' }, async ($: any, e: any, next: any) => {
    await next(e)
    return { deny: 'D stays a secret' }
  })
  on('tool.call', { tool: 'Bash', command: './note E' }, async ($: any, e: any, next: any) => {
    await next(e)
    return next(e)
  })
  on('tool.call', { tool: 'Bash', command: './note F' }, async ($: any, e: any, next: any) => ({ ...(await next(e)), context: ['mind the gap'] }))
  on('tool.call', { tool: 'Bash', command: './note G' }, async () => {
    throw new Error('planned')
  })
  on('prompt.submit', { text: /again/ }, async ($: any, e: any, next: any) => next({ ...e, context: ['this is the second time'] }))
}
