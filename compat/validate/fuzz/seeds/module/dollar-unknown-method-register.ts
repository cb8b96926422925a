export function register(on) {
  on('session.start', async ($, e, next) => { await $.ui.nope('x'); return next(e) })
}
