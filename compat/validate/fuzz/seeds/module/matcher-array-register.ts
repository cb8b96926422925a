export function register(on) {
  on('tool.call', { tool: ['Edit', 'Write'] }, async ($, e, next) => next(e))
}
