export function register(on) {
  on('session.start', async ($, e, next) => { const f = () => $.ui.toast('x'); await f(); return next(e) })
}
