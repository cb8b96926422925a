async function onStart($, e, next) { await $.ui.toast('x'); return next(e) }
export function register(on) { on('session.start', onStart) }
