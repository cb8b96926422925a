async function hello($) { await $.ui.toast('x') }
export function register(on) { on('session.start', async ($, e, next) => { await hello($); return next(e) }) }
