export function register(on) {
  on('session.start', async ($, e, next) => { await $.ui.toast.deep('x'); return next(e) })
}
