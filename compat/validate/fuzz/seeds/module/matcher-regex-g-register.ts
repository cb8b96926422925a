export function register(on) {
  on('tool.call', { tool: /Bash/g }, async ($, e, next) => next(e))
}
