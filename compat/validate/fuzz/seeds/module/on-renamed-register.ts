export function register(listen) { listen('session.start', async ($, e, next) => next(e)) }
