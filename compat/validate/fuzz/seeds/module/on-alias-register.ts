export function register(on) {
  const listen = on; listen('session.start', async ($, e, next) => next(e))
}
