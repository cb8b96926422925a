export function register(on) {
  on('classic.*', async ($, e, next) => next(e))
}
