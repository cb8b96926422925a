export function register(on) {
  on('tool.call', { tool: 'Bash' }, async ($, e, next) => ({ deny: 'x' })).catch(async ($, e, next) => ({ deny: 'failed' }))
}
