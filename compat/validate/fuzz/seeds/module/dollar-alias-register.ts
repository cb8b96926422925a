export function register(on) {
  on('session.start', async ($, e, next) => { const api = $; await api.ui.toast('x'); return next(e) })
}
