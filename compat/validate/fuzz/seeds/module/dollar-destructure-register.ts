export function register(on) {
  on('session.start', async ($, e, next) => { const { ui } = $; await ui.toast('x'); return next(e) })
}
