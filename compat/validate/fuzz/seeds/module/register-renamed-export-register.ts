function reg(on) { on('session.start', async ($, e, next) => next(e)) }
export { reg as register }
