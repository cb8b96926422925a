export const register = (on, options) => { on('session.start', async ($, e, next) => next(e)) }
