export function register(on: any) {
  on('tool.call', { tool: 'Bash', command: './note A' }, async ($: any, e: any, next: any) => next({ ...e, command: './note B' }))
}
