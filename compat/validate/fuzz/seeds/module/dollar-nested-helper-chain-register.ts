async function a($) { await b($) }
async function b($) { await $.fs.read('x') }
export function register(on) { on('session.start', async ($, e, next) => { await a($); return next(e) }) }
