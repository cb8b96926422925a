export function register(on) {
  on('tool.call', ($, e, next) => next(e))
}
