export function register(on: any) {
  on('tool.call', { tool: 'Bash', command: './note B' }, async () => ({ deny: 'not B' }))
}
