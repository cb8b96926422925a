export function register(on) {
  on('*', async ($, e, next) => next(e))
}
