async function hello(msg, $) { await $.ui.toast(msg) }
export function register(on) { on('session.start', async ($, e, next) => { await hello('m', $); return next(e) }) }
