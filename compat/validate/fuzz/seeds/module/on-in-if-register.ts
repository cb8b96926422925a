export function register(on) {
  if (Date.now() > 0) on('session.start', async ($, e, next) => next(e))
}
