export function register(on) {
  on('session.start', async ($, e, next) => { eval('1'); return next(e) })
}
