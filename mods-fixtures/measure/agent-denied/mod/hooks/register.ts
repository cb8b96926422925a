export function register(on: any) {
  on('agent.spawn', async () => ({ deny: 'no agents today' }))
}
