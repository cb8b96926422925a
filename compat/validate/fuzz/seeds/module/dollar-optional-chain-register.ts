export function register(on) {
  on('session.start', async ($, e, next) => { await $.ui?.toast('x'); return next(e) })
}
