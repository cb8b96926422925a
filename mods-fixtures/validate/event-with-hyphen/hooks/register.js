export function register(on) { on('week-day.read', async ($, e, next) => next(e)) }
