export function register(on) {
  on('tool.*', async ($, e, next) => next(e))
}
