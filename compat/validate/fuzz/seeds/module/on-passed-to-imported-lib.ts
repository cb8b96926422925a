export function reg(on) { on('session.start', async ($, e, next) => next(e)) }
