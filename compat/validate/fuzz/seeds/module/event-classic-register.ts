export function register(on) {
  on('classic.Stop', async ($, e, next) => next(e))
}
