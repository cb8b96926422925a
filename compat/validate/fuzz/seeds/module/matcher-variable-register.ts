export function register(on) {
  const m = { tool: 'Bash' }; on('tool.call', m, async ($, e, next) => next(e))
}
