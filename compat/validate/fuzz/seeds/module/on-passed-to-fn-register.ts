function reg(on) { on('session.start', async ($, e, next) => next(e)) }
export function register(on) { reg(on) }
