export function register(on: any) {
  on('agent.spawn', async ($: any, e: any, next: any) => next({ ...e, prompt: 'please note A now, and be kind' }))
}
