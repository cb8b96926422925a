const x = await Promise.resolve(1)
export function register(on) { on('session.start', async ($, e, next) => next(e)) }
