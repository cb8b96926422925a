async function a($, n) { if (n) await a($, n - 1); await $.fs.read('x') }
export function register(on) { on('session.start', async ($, e, next) => { await a($, 2); return next(e) }) }
