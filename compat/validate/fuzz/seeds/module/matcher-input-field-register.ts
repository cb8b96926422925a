export function register(on) {
  on('tool.call', { tool: 'Bash', command: /rm/ }, async ($, e, next) => next(e))
}
