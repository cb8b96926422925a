export function register(on) {
  const b={tool:'Bash'}; on('tool.call', { ...b }, async ($, e, next) => next(e))
}
