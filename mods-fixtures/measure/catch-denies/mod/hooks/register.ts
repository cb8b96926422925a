export function register(on: any) {
  on('tool.call', { tool: 'Bash' }, async ($: any, e: any, next: any) => {
    throw new Error('planned')
  }).catch(async ($: any, e: any, next: any) => ({ deny: 'caught: ' + next.error.message }))
}
