export function register(on: any) {
  on('tool.call', { tool: 'Write' }, async ($: any, e: any, next: any) => next({ ...e, content: 'text as changed' }))
}
