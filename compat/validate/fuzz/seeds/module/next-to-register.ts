export function register(on) {
  on('tool.call', { tool: 'Bash' }, async ($, e, next) => next.to(e, 'append'))
}
