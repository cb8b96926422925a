export function register(on) {
  on('session.start', async (api, e, next) => { await api.ui.toast('x'); return next(e) })
}
