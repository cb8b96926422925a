const K = 'HOME'
export function register(on) { on('session.start', async ($, e, next) => { await $.env.get(K); return next(e) }) }
