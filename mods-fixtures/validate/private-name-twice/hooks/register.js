class Count { #n = 0; #n = 1 }
export function register(on) { on('session.start', async ($, e, next) => next(e)) }
