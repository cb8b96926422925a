export function register(on) {
  on('tool.call', { nope: 'Bash' }, async ($, e, next) => next(e))
}
