export function register(on) {
  on('session.start', async ($, e, next) => { const t = $.ui.toast; await t('x'); return next(e) })
}
