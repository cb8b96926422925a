export function register(on) {
  on('prompt.submit', { isX: true }, async ($, e, next) => next(e))
}
