export function register(on) {
  on('tool.call', { tool: 'Bash' }, async ($, e, next) => next(e)); on('tool.call', { tool: 'Bash' }, async ($, e, next) => next(e))
}
