export function register(on) {
  const hello = async ($) => { await $.ui.toast('x') }
  on('session.start', async ($, e, next) => { await hello($); return next(e) })
}
