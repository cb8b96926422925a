export function register(on) {
  on('session.start', async ($, e, next) => { await $.ui.toast.call(null, 'x'); return next(e) })
}
