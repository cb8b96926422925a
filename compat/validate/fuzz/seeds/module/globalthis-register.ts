export function register(on) {
  on('session.start', async ($, e, next) => { globalThis.x = 1; return next(e) })
}
