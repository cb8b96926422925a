export function register(on) {
  on('session.start', async ($, e, next) => { { const $ = { ui: { toast() {} } }; $.ui.toast('x') } return next(e) })
}
