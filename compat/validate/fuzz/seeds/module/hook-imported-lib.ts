export async function onStart($, e, next) { await $.ui.toast('x'); return next(e) }
